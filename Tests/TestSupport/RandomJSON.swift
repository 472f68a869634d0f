public import BellwetherJSON

/// Random JSON values of every kind, with special strings and numbers, nested a few levels.
public enum RandomJSON {
    public static func value(depth: Int = 4, using generator: inout some RandomNumberGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return .integer(integer(using: &generator))
        case 3, 4: return .number(float(using: &generator))
        case 5: return .string(string(using: &generator))
        case 6:
            let count = Int.random(in: 0..<6, using: &generator)
            return .array((0..<count).map { _ in value(depth: depth - 1, using: &generator) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0..<20, using: &generator) {
                object[string(using: &generator)] = value(depth: depth - 1, using: &generator)
            }
            return .object(object)
        }
    }

    /// An integer of random magnitude, so that not most of them are huge.
    public static func integer(using generator: inout some RandomNumberGenerator) -> Int64 {
        Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0..<64, using: &generator)
    }

    /// Any finite bit pattern, or a short decimal fraction.
    public static func float(using generator: inout some RandomNumberGenerator) -> Double {
        if Bool.random(using: &generator) {
            return Double(Int.random(in: -100_000...100_000, using: &generator)) / 1000
        }
        while true {
            let float = Double(bitPattern: .random(in: 0 ... .max, using: &generator))
            if float.isFinite { return float }
        }
    }

    public static func string(using generator: inout some RandomNumberGenerator) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0x61...0x7A, 0x20...0x7E, 0...0x1F, 0x300...0x36F, 0x80...0x7FF, 0x800...0xD7FF, 0xE000...0xFFFF,
            0x10000...0x10FFFF,
        ]
        var text = String.UnicodeScalarView()
        let range = ranges[Int.random(in: 0..<ranges.count, using: &generator)]
        for _ in 0..<Int.random(in: 0..<24, using: &generator) {
            let scalars = Bool.random(using: &generator) ? range : ranges[0]
            if let scalar = Unicode.Scalar(UInt32.random(in: scalars, using: &generator)) { text.append(scalar) }
        }
        return String(text)
    }
}
