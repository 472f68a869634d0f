/// Which counts of a line that has a total are withheld, so that none of a few people is told, and none can be worked
/// out from the total and the others.
///
/// A count from 1 to below the minimum is withheld; then, the smallest first, others are withheld with it until they
/// are at least two and stand for at least as many as the minimum. Nobody (0) is no secret. Several measures of the
/// same people (displays, and clients who saw them) are withheld together.
enum LineWithholding {
    /// `measures` has one list of counts for each measure, all of one length. `forced` are withheld in any case.
    static func withheld(_ measures: [[Int]], minimum: Int, forced: Set<Int> = []) -> Set<Int> {
        let positions = (measures.first ?? []).indices
        let filled = positions.filter { place in measures.contains { $0[place] > 0 } }
        var withheld = forced.intersection(filled)
        for place in filled where measures.contains(where: { (1..<max(1, minimum)).contains($0[place]) }) {
            withheld.insert(place)
        }
        guard !withheld.isEmpty else { return [] }
        // People are what is counted, so the measure that counts the fewest tells.
        func size(_ place: Int) -> Int { measures.map { $0[place] }.filter { $0 > 0 }.min() ?? 0 }
        var others = filled.filter { !withheld.contains($0) }.sorted { (size($0), $0) < (size($1), $1) }[...]
        var sum = withheld.reduce(0) { $0 + size($1) }
        while withheld.count < 2 || sum < minimum, let next = others.popFirst() {
            withheld.insert(next)
            sum += size(next)
        }
        return withheld
    }
}
