extension JSONParser {
    /// The number at `position`: an integer if it is written as one and fits 64 bits, else a float.
    mutating func number(_ bytes: Span<UInt8>) throws(JSONFault) -> JSONValue {
        let start = position
        let isNegative = bytes[start] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        var digits = Digits()
        let integerStart = position
        try run(bytes, into: &digits)
        if bytes[integerStart] == UInt8(ascii: "0"), position - integerStart > 1 {
            throw JSONFault(reason: .leadingZero, offset: start)
        }
        var isInteger = true
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            let fractionStart = position
            try run(bytes, into: &digits)
            digits.exponent = fractionStart - position
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            digits.exponent += try exponent(bytes)
        }
        if isInteger, let integer = digits.integer(isNegative: isNegative) { return .integer(integer) }
        if isInteger, !isNegative, let unsigned = digits.unsigned { return .unsigned(unsigned) }
        if let float = digits.exactFloat { return .number(isNegative ? -float : float) }
        return .number(try float(bytes, start..<position))
    }

    private mutating func run(_ bytes: Span<UInt8>, into digits: inout Digits) throws(JSONFault) {
        let start = position
        var index = start
        while index < bytes.count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            digits.append(digit)
            index += 1
        }
        position = index
        if index == start { throw fault(.noDigit, bytes) }
    }

    /// The power of ten after `e`. A larger one is clamped to a bound that is beyond any float.
    private mutating func exponent(_ bytes: Span<UInt8>) throws(JSONFault) -> Int {
        position += 1
        var isNegative = false
        if position < bytes.count, bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+") {
            isNegative = bytes[position] == UInt8(ascii: "-")
            position += 1
        }
        var power = Digits()
        try run(bytes, into: &power)
        let bound: UInt64 = 1_000_000
        let size = Int(power.isExact ? min(power.mantissa, bound) : bound)
        return isNegative ? -size : size
    }

    /// Converts a number with the C library's correct rounding, if `exactFloat` cannot convert it.
    private func float(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(JSONFault) -> Double {
        var text = ""
        text.reserveCapacity(range.count)
        for index in range { text.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
        guard let float = Double(text), float.isFinite else {
            throw JSONFault(reason: .outOfRange, offset: range.lowerBound)
        }
        return float
    }

    /// Decimal digits that are being read: `mantissa × 10^exponent`.
    private struct Digits {
        var mantissa: UInt64 = 0
        var exponent = 0
        /// Whether `mantissa` contains all digits.
        var isExact = true

        mutating func append(_ digit: UInt8) {
            // 19 digits always fit. The twentieth may fit: 2⁶⁴ - 1 ends in a 5.
            guard mantissa < UInt64.max / 10 || mantissa == UInt64.max / 10 && digit <= 5 else {
                isExact = false
                return
            }
            mantissa = mantissa &* 10 &+ UInt64(digit)
        }

        /// The integer; nil if it does not fit. It is also nil for -0, which only a float can represent.
        func integer(isNegative: Bool) -> Int64? {
            guard isExact else { return nil }
            guard isNegative else { return Int64(exactly: mantissa) }
            guard mantissa > 0 else { return nil }
            return mantissa == UInt64(Int64.max) + 1 ? .min : Int64(exactly: mantissa).map { -$0 }
        }

        var unsigned: UInt64? { isExact ? mantissa : nil }

        /// The exact value by Clinger's fast path: both factors are floats without rounding, so one operation rounds
        /// correctly.
        var exactFloat: Double? {
            guard isExact, mantissa <= 1 << 53 else { return nil }
            switch exponent {
            case 0...22: return Double(mantissa) * Self.powers[exponent]
            case -22...(-1): return Double(mantissa) / Self.powers[-exponent]
            default: return nil
            }
        }

        private static let powers: [Double] = [
            1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
            1e19, 1e20, 1e21, 1e22,
        ]
    }
}
