import BellwetherJSON
import TestSupport

/// Random JSON over few keys, so that documents overlap.
struct JSONGenerator {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func object(depth: Int) -> JSONObject {
        var object = JSONObject()
        for key in ["a", "b", "c", "d"] where Int.random(in: 0..<3, using: &random) > 0 {
            object[key] = .some(value(depth: depth - 1))
        }
        return object
    }

    mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &random) {
        case 0: .null
        case 1: .bool(Bool.random(using: &random))
        case 2: .integer(Int64.random(in: 0..<3, using: &random))
        case 3: .string(["x", "y", "{experiment}"].randomElement(using: &random) ?? "")
        case 4: .array((0..<Int.random(in: 0..<3, using: &random)).map { .integer(Int64($0)) })
        default: .object(object(depth: depth))
        }
    }
}
