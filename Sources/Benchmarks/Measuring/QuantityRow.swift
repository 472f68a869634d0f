/// A row whose figure is one number of a round, such as a time or a growth of memory.
final class QuantityRow: Benchmark {
    let name: String
    let unit: String?
    let limit: Limit?
    private let measure: (_ round: Int) throws -> Double

    init(_ name: String, unit: String, limit: Limit, measure: @escaping (_ round: Int) throws -> Double) {
        (self.name, self.unit, self.limit, self.measure) = (name, unit, limit, measure)
    }

    func prepare() throws {}

    func sample(round: Int) throws -> Sample? { Sample(quantity: try measure(round)) }
}
