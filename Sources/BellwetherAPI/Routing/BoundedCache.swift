/// A dictionary that is bounded in number and bytes. A full cache is emptied before the next value, and a value that is
/// too large alone is not kept. It belongs to one thread.
struct BoundedCache<Key: Hashable, Value> {
    private let capacity: Int
    private let byteCapacity: Int
    private var values: [Key: Value] = [:]
    private var bytes = 0

    init(capacity: Int, bytes: Int) {
        self.capacity = capacity
        byteCapacity = bytes
    }

    var count: Int { values.count }

    subscript(key: Key) -> Value? { values[key] }

    /// Keeps a value. `size` is in bytes.
    mutating func keep(_ value: Value, size: Int, for key: Key) {
        guard size <= byteCapacity, capacity > 0 else { return }
        if values.count >= capacity || bytes + size > byteCapacity { removeAll() }
        bytes += size
        values[key] = value
    }

    mutating func removeAll() {
        values.removeAll(keepingCapacity: true)
        bytes = 0
    }
}
