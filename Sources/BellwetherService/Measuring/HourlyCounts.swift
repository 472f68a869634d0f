/// Counts of the last 24 hours, by the hour, in a fixed number of bytes.
struct HourlyCounts: Sendable, Hashable {
    static let hours = 24

    /// The index of an hour's count is the number of the hour modulo 24.
    private var counts = [UInt32](repeating: 0, count: hours)
    /// The newest hour that something was counted in.
    private var last = Int64.min / 2

    /// Adds to the count of an hour. If the clock was set back, it adds to the newest hour.
    mutating func add(_ count: Int, in hour: Int64) {
        let hour = max(hour, last)
        for passed in 0..<min(Int64(Self.hours), hour - last) { counts[Self.place(hour - passed)] = 0 }
        last = hour
        let sum = counts[Self.place(hour)].addingReportingOverflow(UInt32(clamping: count))
        counts[Self.place(hour)] = sum.overflow ? .max : sum.partialValue
    }

    /// Whether anything was counted in the 24 hours that end with this one.
    func isRecent(in hour: Int64) -> Bool { last > hour - Int64(Self.hours) }

    /// The counts of the 24 hours that end with this one, oldest first.
    func values(until hour: Int64) -> [Int] {
        let end = max(hour, last)
        return (0..<Int64(Self.hours)).map { offset in
            let hour = end - Int64(Self.hours) + 1 + offset
            guard hour <= last, hour > last - Int64(Self.hours) else { return 0 }
            return Int(counts[Self.place(hour)])
        }
    }

    private static func place(_ hour: Int64) -> Int {
        Int((hour % Int64(hours) + Int64(hours)) % Int64(hours))
    }
}
