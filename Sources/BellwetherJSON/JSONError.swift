/// The reason why a text is not an accepted document, and its location.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    public let kind: Kind
    /// The number of bytes before the location.
    public let offset: Int
    /// The line, from 1.
    public let line: Int
    /// The column in Unicode scalars, from 1.
    public let column: Int
    /// A sentence for people, with the location: `a duplicate key "a" at line 3, column 7`.
    public let message: String

    public var description: String { message }

    public enum Kind: String, Sendable, CaseIterable {
        /// A byte that the grammar does not allow here.
        case syntax
        /// The text ends inside a value.
        case truncated
        /// Data after the document.
        case trailing
        /// A malformed number, or one that no finite float can hold.
        case number
        /// An escape that does not exist, or `\u` without four hexadecimal digits.
        case escape
        /// A `\u` surrogate without its partner.
        case surrogate
        /// A control character inside a string.
        case control
        /// Bytes that are not UTF-8.
        case utf8
        /// The text begins with a byte order mark.
        case byteOrderMark
        /// A key occurs twice in an object.
        case duplicateKey
        /// The nesting is too deep.
        case depth
        /// Too many bytes.
        case size
        /// Too many values.
        case count
    }
}
