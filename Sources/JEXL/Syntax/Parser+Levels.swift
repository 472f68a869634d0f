extension Parser {
    /// Reads levels 1 to 5: binary operators that bind at least as tightly as `level`.
    mutating func expression(level: Int = Operator.loosest) throws(JEXLError) -> Chain {
        var chain = try conditional()
        while case .binary(let binary) = token.kind, binary.level >= level {
            let offset = try advance().start
            let right = try expression(level: binary.level + 1)
            chain.append(.operation(binary, builder.close(right)), at: offset)
        }
        return chain
    }

    /// Reads level 6. It binds tighter than every binary operator, and its branches contain none.
    private mutating func conditional() throws(JEXLError) -> Chain {
        var chain = try transformed()
        while token.is(.question) {
            let offset = try advance().start
            let then = builder.close(try transformed())
            try expect(.colon)
            let otherwise = builder.close(try transformed())
            chain.append(.conditional(then: then, otherwise: otherwise), at: offset)
        }
        return chain
    }

    /// Reads level 7. No `.` and no `[` can follow a transform.
    private mutating func transformed() throws(JEXLError) -> Chain {
        var chain = try postfix()
        while try take(.pipe) {
            let offset = token.start
            let name = try expectIdentifier("the name of a transform")
            var arguments: [NodeIndex] = []
            if token.is(.openParenthesis) {
                try open()
                arguments = try expressions(until: .closeParenthesis)
            }
            builder.call(name, on: &chain, arguments, at: offset)
        }
        return chain
    }

    /// Reads level 8: members and subscripts.
    private mutating func postfix() throws(JEXLError) -> Chain {
        var chain = try primary()
        while true {
            let offset = token.start
            if try take(.dot) {
                let name = try expectIdentifier("the name of a member")
                chain.append(.property(builder.name(name)), at: offset)
            } else if token.is(.openBracket) {
                chain.append(try bracketed(), at: offset)
            } else {
                return chain
            }
        }
    }

    /// Reads the subscript of a value: an index, or a filter if it begins with a dot.
    private mutating func bracketed() throws(JEXLError) -> Step.Action {
        try open()
        guard try take(.dot) else {
            let index = builder.close(try expression())
            try close(.closeBracket)
            return .index(index)
        }
        let name = builder.name(try expectIdentifier("the name of a member"))
        guard case .binary(let binary) = token.kind, binary.level == Operator.comparison else {
            throw unexpected(expecting: "a comparison")
        }
        try advance()
        let right = builder.close(try primary())
        try close(.closeBracket)
        return .filter(name, binary, right)
    }
}
