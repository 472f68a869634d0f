/// What answers are made of, by what it follows from. Bounded in number and bytes: when it is full it starts anew, and
/// what is too large by itself is not kept.
struct AnswerCache<Key: Hashable, Value> {
    private let capacity: Int
    private let byteCapacity: Int
    private var values: [Key: Value] = [:]
    private var bytes = 0

    init(capacity: Int, bytes: Int) {
        self.capacity = capacity
        byteCapacity = bytes
    }

    subscript(key: Key) -> Value? { values[key] }

    /// `size` is in bytes.
    mutating func keep(_ value: Value, size: Int, for key: Key) {
        guard size <= byteCapacity else { return }
        if values.count >= capacity || bytes + size > byteCapacity { removeAll() }
        bytes += size
        values[key] = value
    }

    mutating func removeAll() {
        values.removeAll(keepingCapacity: true)
        bytes = 0
    }
}
