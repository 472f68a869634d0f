/// A share of a sample, and the confidence interval of the population's share, 95 % unless said otherwise. It is
/// Wilson's score interval without continuity correction. The interval stays within 0 and 1, and is valid for small
/// samples and shares of 0 and 1 (Wilson 1927).
public struct ShareEstimate: Sendable, Hashable {
    public let share: Double
    public let low: Double
    public let high: Double

    /// The two-sided 95 % point of the normal distribution.
    public static let z = 1.959963984540054
    /// The two-sided 99 % point.
    static let z99 = 2.5758293035489004

    /// Nil for an empty sample. A count of weighted parts may have a fraction; it is limited to the sample's size.
    ///
    /// - Parameter z: the two-sided point of the normal distribution.
    public init?(_ count: Double, of total: Int, z: Double = ShareEstimate.z) {
        guard total > 0 else { return nil }
        let n = Double(total)
        let share = min(max(count / n, 0), 1)
        let z2 = z * z
        let centre = share + z2 / (2 * n)
        let spread = z * ((share * (1 - share) + z2 / (4 * n)) / n).squareRoot()
        let scale = 1 + z2 / n
        self.share = share
        // The ends are exact at 0 and 1, where the formula only has rounding errors.
        low = share == 0 ? 0 : max(0, (centre - spread) / scale)
        high = share == 1 ? 1 : min(1, (centre + spread) / scale)
    }

    public init?(_ count: Int, of total: Int) { self.init(Double(count), of: total) }
}
