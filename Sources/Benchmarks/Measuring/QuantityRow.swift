/// A row whose figure is one number of a round, such as a time or a growth of memory.
final class QuantityRow: Benchmark {
    let name: String
    let unit: String?
    let limit: Limit?
    private let isMeasuredOnce: Bool
    private let measure: (_ round: Int) throws -> Double

    /// - Parameter isMeasuredOnce: for a figure that does not depend on other load on the machine, such as a size.
    init(
        _ name: String, unit: String, limit: Limit, isMeasuredOnce: Bool = false,
        measure: @escaping (_ round: Int) throws -> Double
    ) {
        (self.name, self.unit, self.limit) = (name, unit, limit)
        (self.isMeasuredOnce, self.measure) = (isMeasuredOnce, measure)
    }

    func prepare() throws {}

    func sample(round: Int) throws -> Sample? {
        isMeasuredOnce && round > 1 ? nil : Sample(quantity: try measure(round))
    }
}
