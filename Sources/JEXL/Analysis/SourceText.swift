/// The tokens of an expression's text. It finds the text from which a part of the tree was parsed.
package struct SourceText {
    private let bytes: [UInt8]
    private let tokens: [Token]

    package init(_ source: String) {
        bytes = Array(source.utf8)
        var lexer = Lexer(source)
        var tokens: [Token] = []
        while let token = try? lexer.next() {
            if case .end = token.kind { break }
            tokens.append(token)
        }
        self.tokens = tokens
    }

    /// The text of a first value and the steps after it. It includes parentheses that open before the value and close
    /// before the last step.
    package func text(of first: Node, _ steps: ArraySlice<Step>) -> String {
        guard let cursor = token(at: first.offset) else { return String(decoding: bytes, as: UTF8.self) }
        var start = subject(of: first, cursor)
        var end = endOfName(first, cursor) ?? endOfValue(cursor)
        if let last = steps.last, let operation = token(at: last.offset) {
            let depth = tokens[start..<operation].reduce(0) { $0 + $1.nesting }
            start = max(0, start + min(0, depth))
            end = endOfStep(last, operation)
        }
        guard end > start else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: bytes[tokens[start].start..<tokens[end - 1].end], as: UTF8.self)
    }

    private func token(at offset: Int32) -> Int? { tokens.firstIndex { $0.start == Int(offset) } }

    /// The offset of an event query is its transform's name. Its subject is before the name and a `|`.
    private func subject(of first: Node, _ name: Int) -> Int {
        guard case .eventQuery = first.kind, name >= 2 else { return name }
        var cursor = name - 2
        var depth = tokens[cursor].nesting
        while depth < 0, cursor > 0 {
            cursor -= 1
            depth += tokens[cursor].nesting
        }
        return cursor
    }

    /// The index after `segment.NAME`, `list.NAME` or `answer.NAME`; nil for another value.
    private func endOfName(_ first: Node, _ start: Int) -> Int? {
        switch first.kind {
        case .segment, .identifier: break
        default: return nil
        }
        guard start + 2 < tokens.count, case .identifier(let name) = tokens[start].kind,
            AudienceScope.Word(rawValue: name) != nil, tokens[start + 1].is(.dot)
        else { return nil }
        return start + 3
    }

    /// The index after a literal, a name, or a name with arguments or brackets.
    private func endOfValue(_ start: Int) -> Int {
        if tokens[start].nesting > 0 { return endOfBrackets(start) }
        let isCall = start > 0 && tokens[start - 1].is(.pipe)
        if isCall, start + 1 < tokens.count, tokens[start + 1].is(.openParenthesis) { return endOfBrackets(start + 1) }
        return start + 1
    }

    private func endOfBrackets(_ open: Int) -> Int {
        var depth = 0
        for cursor in open..<tokens.count {
            depth += tokens[cursor].nesting
            if depth <= 0 { return cursor + 1 }
        }
        return tokens.count
    }

    private func endOfStep(_ step: Step, _ start: Int) -> Int {
        switch step.action {
        case .property: min(start + 2, tokens.count)
        case .index, .filter: endOfBrackets(start)
        case .call: endOfValue(start)
        case .operation(let binary, _): endOfOperand(start + 1) { $0.level <= binary.level }
        case .conditional: endOfOperand(start + 1, pending: 1) { _ in true }
        }
    }

    /// The index of the closing bracket, comma or operator that ends an operand.
    private func endOfOperand(_ start: Int, pending: Int = 0, _ isEnd: (Operator) -> Bool) -> Int {
        var depth = 0
        var conditions = pending
        for cursor in start..<tokens.count {
            let token = tokens[cursor]
            depth += token.nesting
            if depth < 0 { return cursor }
            guard depth == 0 else { continue }
            switch token.kind {
            case .binary(let binary) where isEnd(binary): return cursor
            case .symbol(.comma): return cursor
            case .symbol(.question) where pending > 0 && conditions == 0: return cursor
            case .symbol(.question): conditions += 1
            case .symbol(.colon):
                if conditions == 0 { return cursor }
                conditions -= 1
            default: break
            }
        }
        return tokens.count
    }
}

extension Token {
    /// 1 for an opening bracket, -1 for a closing one.
    var nesting: Int {
        guard case .symbol(let symbol) = kind else { return 0 }
        return switch symbol {
        case .openParenthesis, .openBracket, .openBrace: 1
        case .closeParenthesis, .closeBracket, .closeBrace: -1
        case .comma, .dot, .colon, .question, .pipe: 0
        }
    }
}
