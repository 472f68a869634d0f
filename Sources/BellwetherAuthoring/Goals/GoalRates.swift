/// The rates of an event among clients, from which the size of an experiment is computed
/// (docs/reference/goals.md#size). Numbers have two significant digits, because more would tell single clients.
public struct GoalRates: Sendable, Hashable {
    /// The mean of one client, and its standard deviation.
    public let mean: Double
    public let sd: Double
    /// The correlation of the counts with those before them; 0 if one of them never differs.
    public let correlation: Double

    /// Nil without two clients.
    ///
    /// - Parameter counts: for each client the count in a window, and the count before the window.
    public init?(_ counts: some Collection<(now: Double, before: Double)>) {
        guard counts.count >= 2 else { return nil }
        let n = Double(counts.count)
        let means = counts.reduce((0.0, 0.0)) { ($0.0 + $1.now / n, $0.1 + $1.before / n) }
        var (now, before, both) = (0.0, 0.0, 0.0)
        for count in counts {
            let (y, x) = (count.now - means.0, count.before - means.1)
            (now, before, both) = (now + y * y, before + x * x, both + x * y)
        }
        mean = Self.rounded(means.0)
        sd = Self.rounded((now / (n - 1)).squareRoot())
        correlation = now > 0 && before > 0 ? Self.rounded(both / (now * before).squareRoot()) : 0
    }

    /// A number with two significant digits.
    public static func rounded(_ number: Double) -> Double {
        // A smaller number has no scale that a float can have.
        guard abs(number) >= 1e-300, number.isFinite else { return 0 }
        var scale = 1.0
        while abs(number) * scale < 10 { scale *= 10 }
        while abs(number) * scale >= 100 { scale /= 10 }
        return (number * scale).rounded() / scale
    }
}
