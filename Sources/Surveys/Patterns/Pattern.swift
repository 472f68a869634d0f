/// A regular expression that is searched in linear time: a subset of ICU's syntax without look-around and back
/// references (docs/reference/surveys.md#patterns).
///
/// Compiled to a small program that all threads of a match go through together, character by character (Pike's
/// method). So a match takes at most `instructions × characters` steps, whatever the pattern is.
public struct Pattern: Sendable, Hashable {
    /// Unicode scalars of a pattern.
    public static let maximumLength = 512
    /// Instructions of a compiled pattern: `{m,n}` repeats what it applies to.
    public static let maximumInstructions = 10_000
    /// Unicode scalars of a text that is searched; longer ones do not match.
    public static let maximumTextLength = 4_000

    public struct SyntaxError: Error, Sendable, Hashable {
        public let message: String
        /// Unicode scalars before the fault.
        public let offset: Int
    }

    enum Instruction: Sendable, Hashable {
        case character(CharacterClass)
        case assertion(Assertion)
        /// Both are tried.
        case split(Int, Int)
        case jump(Int)
        case match
    }

    enum Assertion: Sendable, Hashable { case start, end, wordBoundary, noWordBoundary }

    public let text: String
    private let program: [Instruction]

    public init(_ text: String) throws(SyntaxError) {
        let scalars = Array(text.unicodeScalars)
        guard scalars.count <= Self.maximumLength else {
            throw SyntaxError(message: "a pattern may have at most \(Self.maximumLength) characters", offset: 0)
        }
        var parser = PatternParser(scalars)
        let syntax = try parser.parse()
        var compiler = PatternCompiler()
        try compiler.compile(syntax)
        self.text = text
        program = compiler.program
    }

    /// Whether some part of the text matches.
    public func isFound(in text: String) -> Bool {
        let scalars = Array(text.unicodeScalars.prefix(Self.maximumTextLength + 1))
        guard scalars.count <= Self.maximumTextLength else { return false }
        var current = Threads(count: program.count)
        var next = Threads(count: program.count)
        for position in 0...scalars.count {
            add(0, at: position, scalars, to: &current)
            if current.hasMatched { return true }
            guard position < scalars.count else { break }
            for instruction in current.active {
                if case .character(let set) = program[instruction], set.contains(scalars[position]) {
                    add(instruction + 1, at: position + 1, scalars, to: &next)
                }
            }
            if next.hasMatched { return true }
            swap(&current, &next)
            next.removeAll()
        }
        return false
    }

    /// The instructions that wait for a character, each once.
    private struct Threads {
        var active: [Int] = []
        var hasMatched = false
        private var isVisited: [Bool]
        private var visited: [Int] = []

        init(count: Int) { isVisited = Array(repeating: false, count: count) }

        mutating func visit(_ instruction: Int) -> Bool {
            guard !isVisited[instruction] else { return false }
            isVisited[instruction] = true
            visited.append(instruction)
            return true
        }

        mutating func removeAll() {
            for instruction in visited { isVisited[instruction] = false }
            visited.removeAll(keepingCapacity: true)
            active.removeAll(keepingCapacity: true)
        }
    }

    /// Follows everything that takes no character. The stack is explicit: a pattern may nest as deep as it is long.
    private func add(_ start: Int, at position: Int, _ text: [Unicode.Scalar], to threads: inout Threads) {
        var pending = [start]
        while let instruction = pending.popLast() {
            guard threads.visit(instruction) else { continue }
            switch program[instruction] {
            case .character: threads.active.append(instruction)
            case .assertion(let assertion):
                if assertion.holds(at: position, text) { pending.append(instruction + 1) }
            case .split(let first, let second): pending += [second, first]
            case .jump(let target): pending.append(target)
            case .match: threads.hasMatched = true
            }
        }
    }
}

extension Pattern.Assertion {
    func holds(at position: Int, _ text: [Unicode.Scalar]) -> Bool {
        switch self {
        case .start: return position == 0
        case .end: return position == text.count
        case .wordBoundary, .noWordBoundary:
            let before = position > 0 && CharacterClass.isWord(text[position - 1])
            let after = position < text.count && CharacterClass.isWord(text[position])
            return (before != after) == (self == .wordBoundary)
        }
    }
}

/// Turns the syntax into instructions.
private struct PatternCompiler {
    var program: [Pattern.Instruction] = []

    mutating func compile(_ syntax: PatternSyntax) throws(Pattern.SyntaxError) {
        try emit(syntax)
        program.append(.match)
    }

    private mutating func emit(_ syntax: PatternSyntax) throws(Pattern.SyntaxError) {
        guard program.count < Pattern.maximumInstructions else {
            throw Pattern.SyntaxError(message: "the pattern repeats too much", offset: 0)
        }
        switch syntax {
        case .empty: break
        case .character(let set): program.append(.character(set))
        case .assertion(let assertion): program.append(.assertion(assertion))
        case .sequence(let parts): for part in parts { try emit(part) }
        case .alternatives(let parts): try emit(alternatives: parts)
        case .repeated(let part, let bounds): try emit(part, bounds)
        }
    }

    private mutating func emit(alternatives parts: [PatternSyntax]) throws(Pattern.SyntaxError) {
        var jumps: [Int] = []
        for part in parts.dropLast() {
            let split = program.count
            program.append(.split(split + 1, split))
            try emit(part)
            jumps.append(program.count)
            program.append(.jump(0))
            program[split] = .split(split + 1, program.count)
        }
        if let last = parts.last { try emit(last) }
        for jump in jumps { program[jump] = .jump(program.count) }
    }

    private mutating func emit(
        _ part: PatternSyntax, _ bounds: PatternSyntax.Bounds
    ) throws(Pattern.SyntaxError) {
        for _ in 0..<bounds.minimum { try emit(part) }
        guard let maximum = bounds.maximum else {
            let split = program.count
            program.append(.split(split + 1, split))
            try emit(part)
            program.append(.jump(split))
            program[split] = .split(split + 1, program.count)
            return
        }
        var splits: [Int] = []
        for _ in bounds.minimum..<maximum {
            splits.append(program.count)
            program.append(.split(program.count + 1, 0))
            try emit(part)
        }
        for split in splits { program[split] = .split(split + 1, program.count) }
    }
}
