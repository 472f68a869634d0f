internal import BellwetherBase
public import BellwetherJSON
internal import JEXL

/// Which segments in force read which.
public struct SegmentGraph {
    private var references: [String: Set<String>]

    public init(live: some Sequence<Recipe>) {
        references = live.reduce(into: [:]) { references, recipe in
            recipe.segment.map { references[recipe.slug.text] = $0.segments }
        }
    }

    /// The fault of a segment that would come into force: a circle through it, or a chain that is too long.
    public func fault(of segment: Segment, as slug: Identifier) -> Finding? {
        var graph = self
        graph.references[slug.text] = segment.segments
        return graph.fault(of: slug.text)
    }

    private func fault(of name: String) -> Finding? {
        let pointer = JSONPointer.root.appending("expression")
        if let circle = way(from: name, to: name) {
            let names = ([name] + circle).joined(separator: ", ")
            return Finding(
                pointer: pointer, code: "circular", message: "segments read one another in a circle: \(names)")
        }
        var depths: [String: Int] = [:]
        guard (references.keys.map { depth(of: $0, &depths) }.max() ?? 0) > AudienceScope.maximumDepth else {
            return nil
        }
        return Finding(
            pointer: pointer, code: "limit",
            message: "segments are read within one another more than \(AudienceScope.maximumDepth) deep")
    }

    /// For each segment the number of segments that it is read through: a segment comes after all that read it.
    public var readersFirst: [String: Int] {
        var depths: [String: Int] = [:]
        for name in references.keys { _ = depth(of: name, &depths) }
        return depths.mapValues { -$0 }
    }

    /// The segments on the way from one to another; nil if there is none.
    private func way(from start: String, to end: String) -> [String]? {
        var ways: [String: [String]] = [start: []]
        var names = [start]
        while let name = names.popLast() {
            for next in references[name, default: []].sorted() {
                let way = ways[name, default: []] + [next]
                if next == end { return way }
                guard ways[next] == nil else { continue }
                ways[next] = way
                names.append(next)
            }
        }
        return nil
    }

    /// The number of segments in the longest chain that begins here. A segment that the chain has already counts once.
    private func depth(of name: String, _ depths: inout [String: Int]) -> Int {
        if let depth = depths[name] { return depth }
        guard let next = references[name] else { return 0 }
        depths[name] = 0
        let depth = 1 + (next.map { self.depth(of: $0, &depths) }.max() ?? 0)
        depths[name] = depth
        return depth
    }
}
