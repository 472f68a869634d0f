/// Which of the records that were handed to librdkafka are delivered: a ring of flags, from the lowest outstanding
/// record to the newest.
///
/// Reports arrive in order within a partition, and in any order across partitions. So a record may be delivered while
/// one before it is not; it keeps its place in the ring until then.
struct DeliveryWindow {
    private var positions: [Int64]
    private var isDelivered: [Bool]
    /// The numbers of the lowest outstanding record and of the next record. A number modulo the capacity is a place.
    private var first = 0
    private(set) var next = 0

    /// Every record with a position up to this one is delivered. Nil: none is.
    private(set) var deliveredThrough: Int64?
    /// The number of records without a report.
    private(set) var outstanding = 0

    init(capacity: Int) {
        positions = Array(repeating: 0, count: capacity)
        isDelivered = Array(repeating: false, count: capacity)
    }

    var isFull: Bool { next - first == positions.count }

    /// The position of the newest record. Nil: there was none.
    private(set) var newest: Int64?

    /// Adds the record with the number `next`. The window must not be full.
    mutating func append(_ position: Int64) {
        precondition(!isFull, "the window is full")
        precondition(newest.map { $0 < position } ?? true, "positions must grow")
        positions[next % positions.count] = position
        isDelivered[next % positions.count] = false
        newest = position
        outstanding += 1
        next += 1
    }

    func position(of number: Int) -> Int64? {
        number >= first && number < next ? positions[number % positions.count] : nil
    }

    /// Notes that a record is delivered.
    mutating func deliver(_ number: Int) {
        let place = number % positions.count
        guard number >= first, number < next, !isDelivered[place] else { return }
        isDelivered[place] = true
        outstanding -= 1
        while first < next, isDelivered[first % positions.count] {
            deliveredThrough = positions[first % positions.count]
            first += 1
        }
    }
}
