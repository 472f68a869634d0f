/// What is to be let go of, a little at a time, so that no one request pays for all of it.
struct Litter<Element> {
    /// The oldest first.
    private var heaps: [[Element]] = []

    /// How many heaps are kept at most: where few sweep, much is published and little was polled.
    private static var bound: Int { 3 }

    var isEmpty: Bool { heaps.isEmpty }

    /// One heap too many lets go of the oldest at once.
    mutating func add(_ elements: [Element]) {
        guard !elements.isEmpty else { return }
        heaps.append(elements)
        if heaps.count > Self.bound { heaps.removeFirst() }
    }

    /// Lets go of a few; of more, the more heaps there are.
    mutating func sweep() {
        guard !heaps.isEmpty else { return }
        let share = 2 << (2 * (heaps.count - 1))
        heaps[0].removeLast(min(share, heaps[0].count))
        if heaps[0].isEmpty { heaps.removeFirst() }
    }
}
