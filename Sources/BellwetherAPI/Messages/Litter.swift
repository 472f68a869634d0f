/// What is to be let go of, a little at a time, so that no one request pays for all of it.
struct Litter<Element> {
    /// The oldest first.
    private var heaps: [[Element]] = []

    /// How many elements a sweep lets go of.
    private static var share: Int { 16 }
    /// How many heaps are kept at most: where few sweep, much is published and little was polled.
    private static var bound: Int { 2 }

    var isEmpty: Bool { heaps.isEmpty }

    /// One heap too many lets go of the oldest at once.
    mutating func add(_ elements: [Element]) {
        guard !elements.isEmpty else { return }
        heaps.append(elements)
        if heaps.count > Self.bound { heaps.removeFirst() }
    }

    /// Lets go of a few.
    mutating func sweep() {
        guard !heaps.isEmpty else { return }
        heaps[0].removeLast(min(Self.share, heaps[0].count))
        if heaps[0].isEmpty { heaps.removeFirst() }
    }
}
