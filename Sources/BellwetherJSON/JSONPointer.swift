/// A location in a document (RFC 6901).
public struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    /// Unescaped reference tokens, outermost first.
    public let tokens: [String]

    public static let root = JSONPointer(tokens: [])

    public init(tokens: [String]) { self.tokens = tokens }

    public func appending(_ key: String) -> JSONPointer { JSONPointer(tokens: tokens + [key]) }
    public func appending(_ index: Int) -> JSONPointer { appending(String(index)) }

    /// Whether this location equals the other one, or is inside it.
    public func isWithin(_ other: JSONPointer) -> Bool { tokens.starts(with: other.tokens) }

    /// The member of the same object with another key.
    func sibling(_ key: String) -> JSONPointer { JSONPointer(tokens: tokens.dropLast() + [key]) }

    public var description: String {
        tokens.reduce(into: "") { text, token in
            text += "/"
            for character in token.unicodeScalars {
                switch character {
                case "~": text += "~0"
                case "/": text += "~1"
                default: text.unicodeScalars.append(character)
                }
            }
        }
    }
}
