extension JSONText {
    /// Appends a float as serde_json writes it: the fewest digits that parse to the same float, always with a fraction
    /// or an exponent: `2.0`, `1e16`, `1.5e-7`, `-0.0`.
    ///
    /// The rule is Ryū's "pretty" form. With `v = 0.d₁d₂… × 10^point`, the form is plain for `-5 < point ≤ 16`, and has
    /// an exponent otherwise. A number that is not finite has no JSON text and is written as `null`, which is also its
    /// value in JEXL.
    public static func append(_ number: Double, to output: inout [UInt8]) {
        guard number.isFinite else { return output.append(contentsOf: "null".utf8) }
        if number.sign == .minus { output.append(UInt8(ascii: "-")) }
        let size = number.magnitude
        // Whole numbers below 2^53 are written with all their digits.
        if size < 9_007_199_254_740_992, size == Double(UInt64(size)) {
            append(digits: UInt64(size), to: &output)
            output.append(contentsOf: ".0".utf8)
        } else {
            append(Decimal(size), to: &output)
        }
    }

    private static func append(_ decimal: Decimal, to output: inout [UInt8]) {
        let digits = decimal.digits
        let point = decimal.point
        switch point {
        case 1...16 where digits.count <= point:
            output.append(contentsOf: digits)
            output.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: point - digits.count))
            output.append(contentsOf: ".0".utf8)
        case 1...16:
            output.append(contentsOf: digits[..<point])
            output.append(UInt8(ascii: "."))
            output.append(contentsOf: digits[point...])
        case -4...0:
            output.append(contentsOf: "0.".utf8)
            output.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: -point))
            output.append(contentsOf: digits)
        default:
            output.append(digits[0])
            if digits.count > 1 {
                output.append(UInt8(ascii: "."))
                output.append(contentsOf: digits[1...])
            }
            output.append(UInt8(ascii: "e"))
            append(Int64(point - 1), to: &output)
        }
    }

    /// The shortest decimal digits of a positive float, without zeros at either end, and the position of the point.
    private struct Decimal {
        var digits: [UInt8] = []
        /// The value is `0.digits × 10^point`.
        var point = 0

        /// Reads Swift's own description, which has the same digits in another layout.
        init(_ number: Double) {
            var exponent = 0
            var sawPoint = false
            var description = number.description.utf8[...]
            while let byte = description.popFirst() {
                switch byte {
                case UInt8(ascii: "."): sawPoint = true
                case UInt8(ascii: "e"):
                    exponent = Int(Substring(description)) ?? 0
                    description = description[description.endIndex...]
                default:
                    if !sawPoint { point += 1 }
                    digits.append(byte)
                }
            }
            let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
            digits.removeFirst(zeros)
            while digits.last == UInt8(ascii: "0") { digits.removeLast() }
            point += exponent - zeros
        }
    }
}
