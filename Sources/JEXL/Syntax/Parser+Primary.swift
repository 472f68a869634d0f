import BellwetherJSON

extension Parser {
    private mutating func audience(_ word: AudienceScope.Word, at offset: Int) throws(JEXLError) -> NodeIndex {
        let name = try expectIdentifier("the name of a \(word.rawValue)")
        if word == .segment, let compiled = scope.compiled[name] { return try segment(name, compiled, at: offset) }
        return builder.addIdentifier("\(word.rawValue).\(name)", at: offset)
    }

    /// Reads level 9: values without an operator.
    mutating func primary() throws(JEXLError) -> Chain {
        let offset = token.start
        switch token.kind {
        case .number(let value): return try literal(value.map { .number($0) } ?? .null)
        case .string(let value): return try literal(.string(value))
        case .boolean(let value): return try literal(.bool(value))
        case .null: return try literal(.null)
        case .identifier(let name):
            try advance()
            if let word = AudienceScope.Word(rawValue: name), !scope.attributes.contains(word), try take(.dot) {
                return Chain(first: try audience(word, at: offset), offset: offset)
            }
            return Chain(first: builder.addIdentifier(name, at: offset), offset: offset)
        case .symbol(.openParenthesis):
            try open()
            let inner = try expression()
            try close(.closeParenthesis)
            // All levels are left-associative, so the chain can continue after the parenthesis.
            return inner.opening(at: offset)
        case .symbol(.openBracket):
            try open()
            let items = try expressions(until: .closeBracket)
            return Chain(first: builder.addArray(items, at: offset), offset: offset)
        case .symbol(.openBrace):
            try open()
            let members = try members()
            return Chain(first: builder.addObject(members, at: offset), offset: offset)
        default: throw unexpected(expecting: "a value")
        }
    }

    private mutating func literal(_ value: JSONValue) throws(JEXLError) -> Chain {
        let offset = try advance().start
        return Chain(first: builder.add(value, at: offset), offset: offset)
    }

    /// Reads expressions up to the closing bracket, with commas between them. A comma after the last one is optional.
    mutating func expressions(until closing: Token.Symbol) throws(JEXLError) -> [NodeIndex] {
        var nodes: [NodeIndex] = []
        while !token.is(closing) {
            nodes.append(builder.close(try expression()))
            guard try take(.comma) else { break }
        }
        try close(closing)
        return nodes
    }

    /// Reads members up to the closing brace, with commas as in `expressions`.
    private mutating func members() throws(JEXLError) -> [Member] {
        var keys: Set<NameIndex> = []
        var members: [Member] = []
        while !token.is(.closeBrace) {
            let offset = Int32(clamping: token.start)
            let key = builder.name(try key())
            try expect(.colon)
            let value = builder.close(try expression())
            let isNew = keys.insert(key).inserted
            members.append(Member(key: key, value: isNew ? value : nil, offset: offset))
            guard try take(.comma) else { break }
        }
        try close(.closeBrace)
        return members
    }

    private mutating func key() throws(JEXLError) -> String {
        if case .string(let key) = token.kind {
            try advance()
            return key
        }
        return try expectIdentifier("a key")
    }
}
