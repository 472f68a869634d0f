/// The syntax tree of a pattern.
indirect enum PatternSyntax: Sendable, Hashable {
    struct Bounds: Sendable, Hashable {
        var minimum: Int
        /// The maximum; nil if there is none.
        var maximum: Int?
    }

    case empty
    /// A character class, by its index in the parser.
    case character(Int)
    case assertion(Pattern.Assertion)
    case sequence([PatternSyntax])
    case alternatives([PatternSyntax])
    case repeated(PatternSyntax, Bounds)
}

/// Parses a pattern. Syntax outside of the subset is an error, and never has another meaning.
struct PatternParser {
    private static let maximumDepth = 32
    private static let maximumRepetition = 1_000

    /// The character classes of the pattern, in the order of the text.
    private(set) var classes: [CharacterClass] = []
    /// Whether the pattern sets this flag at its beginning.
    private(set) var ignoresCase = false
    private let text: [Unicode.Scalar]
    private var position = 0
    private var depth = 0

    init(_ text: [Unicode.Scalar]) { self.text = text }

    mutating func parse() throws(Pattern.SyntaxError) -> PatternSyntax {
        if starts(with: "(?i)") {
            position += 4
            ignoresCase = true
        }
        let syntax = try alternatives()
        guard position == text.count else { throw fault("nothing opens this )") }
        return syntax
    }

    private func fault(_ message: String, at offset: Int? = nil) -> Pattern.SyntaxError {
        Pattern.SyntaxError(message: message, offset: offset ?? position)
    }

    private var next: Unicode.Scalar? { position < text.count ? text[position] : nil }

    private func starts(with prefix: String) -> Bool {
        text[position...].starts(with: prefix.unicodeScalars)
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private mutating func alternatives() throws(Pattern.SyntaxError) -> PatternSyntax {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw fault("groups nest too deep") }
        var parts = [try sequence()]
        while take("|") { parts.append(try sequence()) }
        return parts.count == 1 ? parts[0] : .alternatives(parts)
    }

    private mutating func sequence() throws(Pattern.SyntaxError) -> PatternSyntax {
        var parts: [PatternSyntax] = []
        while let scalar = next, scalar != "|", scalar != ")" { parts.append(try repetition()) }
        return parts.isEmpty ? .empty : parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func repetition() throws(Pattern.SyntaxError) -> PatternSyntax {
        let part = try atom()
        guard let bounds = try bounds() else { return part }
        // A lazy quantifier finds the same texts.
        _ = take("?")
        if next == "+" { throw fault("possessive quantifiers are not supported") }
        if next == "*" || next == "?" { throw fault("nothing to repeat") }
        return .repeated(part, bounds)
    }

    private mutating func bounds() throws(Pattern.SyntaxError) -> PatternSyntax.Bounds? {
        if take("*") { return .init(minimum: 0, maximum: nil) }
        if take("+") { return .init(minimum: 1, maximum: nil) }
        if take("?") { return .init(minimum: 0, maximum: 1) }
        let start = position
        guard take("{") else { return nil }
        guard let minimum = try number() else { throw fault("expected a number after {") }
        var maximum: Int? = minimum
        if take(",") { maximum = try number() }
        guard take("}") else { throw fault("no } closes this {", at: start) }
        if let maximum, maximum < minimum { throw fault("the bounds of {} are in the wrong order", at: start) }
        return .init(minimum: minimum, maximum: maximum)
    }

    private mutating func number() throws(Pattern.SyntaxError) -> Int? {
        var number: Int?
        while let scalar = next, ("0"..."9").contains(scalar) {
            number = (number ?? 0) * 10 + Int(scalar.value - 0x30)
            position += 1
            if number ?? 0 > Self.maximumRepetition {
                throw fault("a repetition may be at most \(Self.maximumRepetition)")
            }
        }
        return number
    }

    private mutating func atom() throws(Pattern.SyntaxError) -> PatternSyntax {
        guard let scalar = next else { return .empty }
        position += 1
        switch scalar {
        case ".": return character(CharacterClass([.anyOnLine]))
        case "^": return .assertion(.start)
        case "$": return .assertion(.end)
        case "(": return try group()
        case "[": return character(try set())
        case "\\": return try escape()
        case "*", "+", "?", "{":
            position -= 1
            throw fault("nothing to repeat")
        default: return character(CharacterClass(scalar))
        }
    }

    private mutating func character(_ set: CharacterClass) -> PatternSyntax {
        classes.append(set)
        return .character(classes.count - 1)
    }

    private mutating func group() throws(Pattern.SyntaxError) -> PatternSyntax {
        let start = position - 1
        if take("?") {
            guard take(":") else {
                throw fault("only (?: ) groups are supported: no look-around, names or flags within a pattern")
            }
        }
        let syntax = try alternatives()
        guard take(")") else { throw fault("no ) closes this (", at: start) }
        return syntax
    }

    private mutating func escape() throws(Pattern.SyntaxError) -> PatternSyntax {
        switch next {
        case "b":
            position += 1
            return .assertion(.wordBoundary)
        case "B":
            position += 1
            return .assertion(.noWordBoundary)
        case "A":
            position += 1
            return .assertion(.start)
        case "z":
            position += 1
            return .assertion(.end)
        default: return character(CharacterClass([try escapedMember()]))
        }
    }

    /// Reads the character after a backslash, inside or outside of a set.
    private mutating func escapedMember() throws(Pattern.SyntaxError) -> CharacterClass.Member {
        guard let scalar = next else { throw fault("the pattern ends with a backslash") }
        position += 1
        switch scalar {
        case "d": return .digit
        case "D": return .not(CharacterClass([.digit]))
        case "w": return .word
        case "W": return .not(CharacterClass([.word]))
        case "s": return .space
        case "S": return .not(CharacterClass([.space]))
        case "p", "P": return try category(isNegated: scalar == "P")
        case "t": return .range(9, 9)
        case "n": return .range(10, 10)
        case "f": return .range(12, 12)
        case "r": return .range(13, 13)
        case "u": return try code(digits: 4)
        case "x": return try hexadecimal()
        case "1"..."9", "k":
            position -= 1
            throw fault("back references are not supported")
        case "a"..."z", "A"..."Z", "0":
            position -= 1
            throw fault("the escape \\\(scalar) is not supported")
        default: return .range(scalar.value, scalar.value)
        }
    }

    private mutating func category(isNegated: Bool) throws(Pattern.SyntaxError) -> CharacterClass.Member {
        guard take("{") else { throw fault("expected { after \\p") }
        var name = ""
        while let scalar = next, scalar != "}" {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        guard take("}"), let category = CharacterClass.GeneralCategory(name) else {
            throw fault("expected a general category of Unicode such as L or Nd")
        }
        return isNegated ? .not(CharacterClass([.category(category)])) : .category(category)
    }

    private mutating func hexadecimal() throws(Pattern.SyntaxError) -> CharacterClass.Member {
        guard take("{") else { return try code(digits: 2) }
        let code = try code(digits: nil)
        guard take("}") else { throw fault("no } closes the {") }
        return code
    }

    private mutating func code(digits: Int?) throws(Pattern.SyntaxError) -> CharacterClass.Member {
        var (value, count) = (UInt32(0), 0)
        while count < (digits ?? 6), let digit = next?.hexadecimalValue {
            value = value * 16 + digit
            count += 1
            position += 1
        }
        guard count > 0, count == (digits ?? count), Unicode.Scalar(value) != nil else {
            throw fault("expected the hexadecimal code of a character")
        }
        return .range(value, value)
    }

    private mutating func set() throws(Pattern.SyntaxError) -> CharacterClass {
        let start = position - 1
        let isNegated = take("^")
        var members: [CharacterClass.Member] = []
        while true {
            guard let scalar = next else { throw fault("no ] closes this [", at: start) }
            if scalar == "]", !members.isEmpty {
                position += 1
                return CharacterClass(members, isNegated: isNegated)
            }
            if starts(with: "&&") || starts(with: "--") || scalar == "[" {
                throw fault("sets within sets are not supported; escape the character")
            }
            members.append(try setMember())
        }
    }

    private mutating func setMember() throws(Pattern.SyntaxError) -> CharacterClass.Member {
        let low = try setCharacter()
        guard case .range(let first, _) = low, next == "-", position + 1 < text.count, text[position + 1] != "]" else {
            return low
        }
        position += 1
        guard case .range(let last, _) = try setCharacter() else { throw fault("expected a character after -") }
        guard first <= last else { throw fault("the bounds of a range are in the wrong order") }
        return .range(first, last)
    }

    private mutating func setCharacter() throws(Pattern.SyntaxError) -> CharacterClass.Member {
        guard let scalar = next else { throw fault("no ] closes the set") }
        position += 1
        return scalar == "\\" ? try escapedMember() : .range(scalar.value, scalar.value)
    }
}

extension Unicode.Scalar {
    fileprivate var hexadecimalValue: UInt32? {
        switch self {
        case "0"..."9": value - 0x30
        case "a"..."f": value - 0x61 + 10
        case "A"..."F": value - 0x41 + 10
        default: nil
        }
    }
}
