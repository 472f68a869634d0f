/// A recursive descent parser. Its levels are the ones of docs/reference/expressions.md#grammar.
struct Parser {
    var builder = TreeBuilder()
    private(set) var token: Token
    private var lexer: Lexer
    private var depthLeft: Int
    private let maximumDepth: Int
    let scope: AudienceScope
    /// The brackets that were open at once, and those in segments at such a place.
    private(set) var nesting = 0

    init(_ source: String, _ limits: JEXLLimits, _ scope: AudienceScope = .none) throws(JEXLError) {
        self.scope = scope
        let bytesAllowed = min(limits.sourceBytes, JEXLLimits.maximumSourceBytes)
        guard source.utf8.count <= bytesAllowed else {
            throw JEXLError(kind: .limit, message: "the expression has more than \(bytesAllowed) bytes", offset: nil)
        }
        lexer = Lexer(source)
        maximumDepth = min(limits.depth, JEXLLimits.maximumDepth)
        depthLeft = maximumDepth
        token = try lexer.next()
    }

    /// Parses the whole text.
    mutating func tree() throws(JEXLError) -> Tree {
        let root = builder.close(try expression())
        guard case .end = token.kind else { throw unexpected(expecting: "an operator or the end") }
        return Tree(builder, root: root)
    }

    /// Refers to a segment in force.
    mutating func segment(
        _ name: String, _ compiled: Result<CompiledExpression, JEXLError>, at offset: Int
    ) throws(JEXLError) -> NodeIndex {
        let segment: CompiledExpression
        do {
            segment = try compiled.get()
        } catch {
            throw JEXLError(kind: error.kind, message: "in segment \(name): \(error.message)", offset: offset)
        }
        guard segment.depth <= AudienceScope.maximumDepth else {
            throw JEXLError(
                kind: .limit, message: "segments contain one another more than \(AudienceScope.maximumDepth) deep",
                offset: offset)
        }
        nesting = max(nesting, openBrackets + segment.nesting)
        guard nesting <= JEXLLimits.maximumDepth else {
            throw JEXLError(
                kind: .limit, message: "with its segments, the expression is nested too deeply", offset: offset)
        }
        return builder.addSegment(name, segment, at: offset)
    }

    /// Returns the current token and moves to the next one.
    @discardableResult
    mutating func advance() throws(JEXLError) -> Token {
        let taken = token
        token = try lexer.next()
        return taken
    }

    mutating func take(_ symbol: Token.Symbol) throws(JEXLError) -> Bool {
        guard token.is(symbol) else { return false }
        try advance()
        return true
    }

    mutating func expect(_ symbol: Token.Symbol) throws(JEXLError) {
        guard try take(symbol) else { throw unexpected(expecting: "\"\(Unicode.Scalar(symbol.rawValue))\"") }
    }

    mutating func expectIdentifier(_ what: String) throws(JEXLError) -> String {
        guard case .identifier(let name) = token.kind else { throw unexpected(expecting: what) }
        try advance()
        return name
    }

    private var openBrackets: Int { maximumDepth - depthLeft }

    /// Consumes an opening bracket, and goes one level deeper.
    mutating func open() throws(JEXLError) {
        guard depthLeft > 0 else {
            throw JEXLError(kind: .limit, message: "the expression is nested too deeply", offset: token.start)
        }
        depthLeft -= 1
        nesting = max(nesting, openBrackets)
        try advance()
    }

    /// Consumes the closing bracket.
    mutating func close(_ symbol: Token.Symbol) throws(JEXLError) {
        try expect(symbol)
        depthLeft += 1
    }

    func unexpected(expecting what: String) -> JEXLError {
        let found =
            switch token.kind {
            case .end: "the end"
            case .string: "a string"
            default: "\"\(lexer.text(of: token))\""
            }
        let hint = if case .binary(.subtract) = token.kind { "; numbers have no sign, write 0 - 1" } else { "" }
        return JEXLError(kind: .parse, message: "expected \(what), found \(found)\(hint)", offset: token.start)
    }
}

extension Lexer {
    fileprivate func text(of token: Token) -> String {
        String(decoding: bytes[token.start..<token.end], as: UTF8.self)
    }
}
