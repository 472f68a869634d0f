public import BellwetherJSON

/// The types that a value may have, as far as they are known before evaluation.
public struct ValueTypes: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let null = ValueTypes(rawValue: 1)
    public static let boolean = ValueTypes(rawValue: 2)
    public static let number = ValueTypes(rawValue: 4)
    public static let string = ValueTypes(rawValue: 8)
    public static let array = ValueTypes(rawValue: 16)
    public static let object = ValueTypes(rawValue: 32)
    public static let any: ValueTypes = [.null, .boolean, .number, .string, .array, .object]

    public init(of value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool: self = .boolean
        case .integer, .unsigned, .number: self = .number
        case .string: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }

    /// Words for a sentence, such as `a number or a string`. Null is named only if no other type is possible.
    var phrase: String {
        let words: [(ValueTypes, String)] = [
            (.boolean, "a boolean"), (.number, "a number"), (.string, "a string"), (.array, "an array"),
            (.object, "an object"),
        ]
        let own = words.filter { contains($0.0) }.map(\.1)
        return own.isEmpty ? "null" : own.joined(separator: " or ")
    }
}
