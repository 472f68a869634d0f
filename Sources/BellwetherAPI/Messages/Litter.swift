/// What is to be let go of, a little at a time, so that no one request pays for all of it.
struct Litter<Element> {
    private var heaps: [[Element]] = []

    /// More than a request ever adds.
    private static var share: Int { 16 }

    var isEmpty: Bool { heaps.isEmpty }

    mutating func add(_ elements: [Element]) { if !elements.isEmpty { heaps.append(elements) } }

    /// Lets go of a few.
    mutating func sweep() {
        guard let last = heaps.indices.last else { return }
        heaps[last].removeLast(min(Self.share, heaps[last].count))
        if heaps[last].isEmpty { heaps.removeLast() }
    }
}
