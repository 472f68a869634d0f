/// Counts of the last 24 hours, by the hour, in a fixed number of bytes.
struct HourlyCounts: Sendable, Hashable {
    static let hours = 24

    /// An hour's count stands at its number modulo 24.
    private var counts = [UInt32](repeating: 0, count: hours)
    /// The newest hour that something was counted in.
    private var last = Int64.min / 2

    /// A clock that was set back counts in the newest hour.
    mutating func add(_ count: Int, in hour: Int64) {
        let hour = max(hour, last)
        for passed in 0..<min(Int64(Self.hours), hour - last) { counts[Self.place(hour - passed)] = 0 }
        last = hour
        let sum = counts[Self.place(hour)].addingReportingOverflow(UInt32(clamping: count))
        counts[Self.place(hour)] = sum.overflow ? .max : sum.partialValue
    }

    /// Whether anything was counted in the 24 hours that end with one.
    func isRecent(in hour: Int64) -> Bool { last > hour - Int64(Self.hours) }

    /// The 24 hours that end with one, the oldest first.
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
