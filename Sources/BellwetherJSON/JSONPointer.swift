/// A location in a document (RFC 6901).
public struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    /// Unescaped reference tokens, outermost first.
    public let tokens: [String]

    public static let root = JSONPointer(tokens: [])

    public init(tokens: [String]) { self.tokens = tokens }

    public func appending(_ key: String) -> JSONPointer { JSONPointer(tokens: tokens + [key]) }
    public func appending(_ index: Int) -> JSONPointer { appending(String(index)) }

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
