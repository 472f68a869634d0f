/// The smallest meaningful piece of an expression's text.
struct Token {
    let kind: Kind
    /// The offset of its first byte in the text.
    let start: Int
    /// The offset after its last byte.
    let end: Int

    enum Kind {
        /// A number; nil if it exceeds the range of a float. Such a number evaluates to null.
        case number(Double?)
        case string(String)
        case identifier(String)
        case boolean(Bool)
        case null
        case binary(Operator)
        case symbol(Symbol)
        case end
    }

    enum Symbol: UInt8 {
        case openParenthesis = 0x28
        case closeParenthesis = 0x29
        case comma = 0x2C
        case dot = 0x2E
        case colon = 0x3A
        case question = 0x3F
        case openBracket = 0x5B
        case closeBracket = 0x5D
        case openBrace = 0x7B
        case pipe = 0x7C
        case closeBrace = 0x7D
    }

    func `is`(_ symbol: Symbol) -> Bool {
        if case .symbol(symbol) = kind { true } else { false }
    }
}
