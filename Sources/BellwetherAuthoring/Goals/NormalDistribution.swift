/// The standard normal distribution, and what follows from it, to about 15 digits.
enum NormalDistribution {
    /// The probability of a value above `x`. It keeps its digits far from the mean.
    static func above(_ x: Double) -> Double { 0.5 * (x / 2.0.squareRoot()).complementaryError }

    static func below(_ x: Double) -> Double { above(-x) }

    /// The value that is not exceeded with a probability, which is between 0 and 1.
    static func quantile(_ probability: Double) -> Double {
        guard probability <= 0.5 else { return -quantile(1 - probability) }
        // `above` of the negative value has a small argument, so the probability keeps its digits.
        return -falling(to: probability, in: 0...40, above)
    }

    /// The place in a range at which a falling function has a value. The range is halved until it has no middle.
    static func falling(to value: Double, in range: ClosedRange<Double>, _ function: (Double) -> Double) -> Double {
        var (low, high) = (range.lowerBound, range.upperBound)
        while true {
            let middle = (low + high) / 2
            guard low < middle, middle < high else { return middle }
            if function(middle) > value { low = middle } else { high = middle }
        }
    }
}

/// The chi-squared distribution.
enum ChiSquaredDistribution {
    /// The probability of a value above `x`, for at least one degree of freedom: the regularized upper incomplete gamma
    /// function, by its series below its middle and by its continued fraction above it (DLMF 8.7.1 and 8.9.2).
    static func above(_ x: Double, freedom: Int) -> Double {
        guard x > 0 else { return 1 }
        let (a, half) = (Double(freedom) / 2, x / 2)
        let scale = (a * half.logarithm - half - a.logarithmOfGamma).exponential
        return half < a + 1 ? 1 - scale * series(a, half) : scale * fraction(a, half)
    }

    private static func series(_ a: Double, _ x: Double) -> Double {
        var (term, sum, n) = (1 / a, 1 / a, a)
        while term > sum * .ulpOfOne {
            n += 1
            term *= x / n
            sum += term
        }
        return sum
    }

    /// The method of Lentz.
    private static func fraction(_ a: Double, _ x: Double) -> Double {
        let smallest = Double.leastNormalMagnitude / .ulpOfOne
        var b = x + 1 - a
        var c = 1 / smallest
        var d = 1 / b
        var product = d
        for n in 1...10_000 {
            let factor = -Double(n) * (Double(n) - a)
            b += 2
            d = factor * d + b
            if d.magnitude < smallest { d = smallest }
            c = b + factor / c
            if c.magnitude < smallest { c = smallest }
            d = 1 / d
            product *= d * c
            if (d * c - 1).magnitude < .ulpOfOne { break }
        }
        return product
    }
}
