/// The reason why an expression cannot be parsed, or has no value in its context.
public struct JEXLError: Error, Sendable, Hashable, CustomStringConvertible {
    public let kind: Kind
    /// A sentence for people.
    public let message: String
    /// The location in the expression, in UTF-8 bytes; nil if the error concerns the whole expression.
    public let offset: Int?

    public init(kind: Kind, message: String, offset: Int?) {
        self.kind = kind
        self.message = message
        self.offset = offset
    }

    public var description: String { offset.map { "\(message) (at byte \($0))" } ?? message }

    /// The kinds of error, as the command line names them (docs/reference/http-api.md#the-command-jexl).
    public enum Kind: String, Sendable, CaseIterable {
        case parse
        case undefinedIdentifier
        case unsupportedOperands
        case unknownTransform
        case indexType
        case filterSubject
        case duplicateKey
        case transform
        case notBoolean
        case limit
    }
}
