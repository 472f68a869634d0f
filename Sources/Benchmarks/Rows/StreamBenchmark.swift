/// A row that is measured by this program's load generator.
final class StreamBenchmark: Benchmark {
    let name: String
    let unit: String?
    let limit: Limit?
    let comparisons: [Comparison]
    private let measure: (_ round: Int) throws -> Sample?

    init(
        _ name: String, unit: String, limit: Limit? = nil, comparedWith comparisons: [Comparison] = [],
        measure: @escaping (_ round: Int) throws -> Sample?
    ) {
        self.name = name
        self.unit = unit
        self.limit = limit
        self.comparisons = comparisons
        self.measure = measure
    }

    func prepare() throws {}

    func sample(round: Int) throws -> Sample? { try measure(round) }
}
