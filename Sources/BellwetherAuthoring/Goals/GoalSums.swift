extension GoalSums {
    /// The sum of squares of y about its mean.
    var ySquares: Double { squares(syy, sy, sy) }
    var xSquares: Double { squares(sxx, sx, sx) }
    /// The sum of products of x and y about their means.
    var products: Double { squares(sxy, sx, sy) }

    /// `(n·s − p·q)/n`, divided once: the difference is a whole number of up to 256 bits.
    private func squares(_ s: Int128, _ p: Int128, _ q: Int128) -> Double {
        guard n > 0 else { return 0 }
        let (left, right) = (Int128(n).multipliedFullWidth(by: s), p.multipliedFullWidth(by: q))
        let (low, borrows) = left.low.subtractingReportingOverflow(right.low)
        let high = left.high &- right.high &- (borrows ? 1 : 0)
        return Self.number(high, low) / Double(n)
    }

    private static func number(_ high: Int128, _ low: UInt128) -> Double {
        if high < 0 {
            let (negated, carries) = (~low).addingReportingOverflow(1)
            return -number(~high &+ (carries ? 1 : 0), negated)
        }
        return Double(high) * 0x1p128 + Double(low)
    }
}
