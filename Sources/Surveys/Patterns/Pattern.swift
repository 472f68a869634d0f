internal import BellwetherBase
internal import BellwetherJSON

/// A regular expression that is searched in linear time: a subset of ICU's syntax without look-around and back
/// references (docs/reference/surveys.md#patterns).
///
/// It is compiled to a small program. All threads of a match go through it together, character by character (Pike's
/// method). A match therefore takes at most `instructions × characters` steps, whatever the pattern is. In addition,
/// compiling and searching have a budget of steps
/// (docs/decisions/0068-conditions-and-patterns-have-a-budget-of-steps.md).
public struct Pattern: Sendable, Hashable {
    /// The maximum length of a pattern, in Unicode scalars.
    public static let maximumLength = 512
    /// The maximum length of a searched text, in Unicode scalars. A longer text does not match.
    public static let maximumTextLength = 4_000

    public struct SyntaxError: Error, Sendable, Hashable {
        public let message: String
        /// The number of Unicode scalars before the fault.
        public let offset: Int

        /// The fault for the author of the pattern.
        var sentence: String {
            self == .tooLarge ? message : "at character \(offset + 1) of the pattern: \(message)"
        }

        /// The pattern exceeds the budget, by itself or together with the patterns before it.
        public static let tooLarge = SyntaxError(
            message: "the pattern, or the patterns of the document together, repeat too much", offset: 0)
    }

    enum Instruction: Sendable, Hashable {
        /// A character class, by its index in the pattern.
        case character(Int32)
        case assertion(Assertion)
        /// Both branches are tried.
        case split(Int32, Int32)
        case jump(Int32)
        case match
    }

    enum Assertion: Sendable, Hashable { case start, end, wordBoundary, noWordBoundary }

    public let text: String
    let program: [Instruction]
    let classes: [CharacterClass]
    /// The ASCII characters of each class.
    let asciiSets: [ASCIISet]
    let ignoresCase: Bool

    public init(_ text: String) throws(SyntaxError) { try self.init(text, PatternBudget()) }

    fileprivate init(_ text: String, _ budget: PatternBudget) throws(SyntaxError) {
        let scalars = Array(text.unicodeScalars)
        guard scalars.count <= Self.maximumLength else {
            throw SyntaxError(message: "a pattern may have at most \(Self.maximumLength) characters", offset: 0)
        }
        var parser = PatternParser(scalars)
        let syntax = try parser.parse()
        var compiler = PatternCompiler(budget)
        try compiler.compile(syntax)
        self.text = text
        program = compiler.program
        (classes, ignoresCase) = (parser.classes, parser.ignoresCase)
        asciiSets = parser.classes.map { [parser] set in set.ascii(ignoringCase: parser.ignoresCase) }
    }
}

/// The budget for the patterns of one document. Each instruction costs one, and so does each repetition of an empty
/// part.
public final class PatternBudget {
    /// The maximum for one pattern, because `{m,n}` repeats the instructions of its part.
    public static let maximumSteps = 10_000
    static let maximumStepsTogether = 100_000

    private var left = maximumStepsTogether
    private var leftOfPattern = 0
    private var compiled: [Identifier: Pattern] = [:]

    public init() {}

    /// Compiles a pattern of the document. A pattern that occurs several times is compiled once.
    public func compile(_ text: String) throws(Pattern.SyntaxError) -> Pattern {
        if let pattern = compiled[Identifier(text)] { return pattern }
        let pattern = try Pattern(text, self)
        compiled[Identifier(text)] = pattern
        return pattern
    }

    fileprivate func begin() { leftOfPattern = min(left, Self.maximumSteps) }

    fileprivate func spend() throws(Pattern.SyntaxError) {
        guard leftOfPattern > 0 else { throw .tooLarge }
        leftOfPattern -= 1
        left -= 1
    }
}

/// Compiles the syntax tree to instructions.
private struct PatternCompiler {
    private(set) var program: [Pattern.Instruction] = []
    private let budget: PatternBudget

    init(_ budget: PatternBudget) { self.budget = budget }

    mutating func compile(_ syntax: PatternSyntax) throws(Pattern.SyntaxError) {
        budget.begin()
        try emit(syntax)
        program.append(.match)
    }

    private var end: Int32 { Int32(program.count) }

    private mutating func append(_ instruction: Pattern.Instruction) throws(Pattern.SyntaxError) {
        try budget.spend()
        program.append(instruction)
    }

    private mutating func emit(_ syntax: PatternSyntax) throws(Pattern.SyntaxError) {
        switch syntax {
        case .empty: try budget.spend()
        case .character(let set): try append(.character(Int32(set)))
        case .assertion(let assertion): try append(.assertion(assertion))
        case .sequence(let parts): for part in parts { try emit(part) }
        case .alternatives(let parts): try emit(alternatives: parts)
        case .repeated(let part, let bounds): try emit(part, bounds)
        }
    }

    private mutating func emit(alternatives parts: [PatternSyntax]) throws(Pattern.SyntaxError) {
        var jumps: [Int] = []
        for part in parts.dropLast() {
            let split = program.count
            try append(.split(end + 1, end))
            try emit(part)
            jumps.append(program.count)
            try append(.jump(0))
            program[split] = .split(Int32(split) + 1, end)
        }
        if let last = parts.last { try emit(last) }
        for jump in jumps { program[jump] = .jump(end) }
    }

    private mutating func emit(
        _ part: PatternSyntax, _ bounds: PatternSyntax.Bounds
    ) throws(Pattern.SyntaxError) {
        if bounds.maximum == 0 { try budget.spend() }
        for _ in 0..<bounds.minimum { try emit(part) }
        guard let maximum = bounds.maximum else {
            let split = program.count
            try append(.split(end + 1, end))
            try emit(part)
            try append(.jump(Int32(split)))
            program[split] = .split(Int32(split) + 1, end)
            return
        }
        var splits: [Int] = []
        for _ in bounds.minimum..<maximum {
            splits.append(program.count)
            try append(.split(end + 1, 0))
            try emit(part)
        }
        for split in splits { program[split] = .split(Int32(split) + 1, end) }
    }
}
