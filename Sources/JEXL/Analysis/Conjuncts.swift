extension CompiledExpression {
    /// The operands of the outermost `&&`, as they are written; the whole expression if it is no conjunction.
    public var conjuncts: [String] {
        var lexer = Lexer(source)
        var parts: [[Token]] = [[]]
        var depth = 0
        while let token = try? lexer.next() {
            if case .end = token.kind { break }
            depth += token.nesting
            guard depth == 0 else {
                parts[parts.count - 1].append(token)
                continue
            }
            switch token.kind {
            case .binary(.and): parts.append([])
            case .binary(.or), .symbol(.question): return [source]
            default: parts[parts.count - 1].append(token)
            }
        }
        let bytes = Array(source.utf8)
        return parts.compactMap { tokens in
            guard let first = tokens.first, let last = tokens.last else { return nil }
            return String(decoding: bytes[first.start..<last.end], as: UTF8.self)
        }
    }
}
