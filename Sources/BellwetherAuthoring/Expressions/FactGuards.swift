internal import BellwetherJSON
internal import JEXL

extension CompiledExpression {
    /// The facts that the expression compares by order, and that may be null there: the comparison is then an error,
    /// and so is the expression (docs/reference/audiences.md#answers). Each name occurs once, in the order of the text.
    var unguardedFacts: [String] {
        let work = FactGuards.Work()
        let failing = FactGuards.outcome(of: root, knowing: [], work).failing
        var names: [String] = []
        for name in failing where !work.isOver && !names.contains(name) { names.append(name) }
        return names
    }
}

/// Follows the evaluation of an expression for a person who has not answered, and collects the facts that are known to
/// be answers wherever a part is evaluated. A segment counts as its expression.
private struct FactGuards {
    /// The parts that may still be followed. Segments within segments can have very many; then nothing is reported.
    final class Work {
        private var left = 20_000
        var isOver: Bool { left == 0 }
        func take() { left = max(0, left - 1) }
    }

    /// The outcome of a part.
    struct Outcome {
        /// The facts for whose absence the part is an error.
        var failing: [String] = []
        /// The facts that are answers if the value is true, and if it is false.
        var ifTrue: Set<String> = []
        var ifFalse: Set<String> = []

        /// The facts that are answers if this part did not decide: an error counts as false, too.
        var ifSkipped: Set<String> { failing.isEmpty ? ifFalse : [] }
    }

    /// The value on the left of the next step.
    private var outcome: Outcome
    /// The fact that the value is; nil if it is anything else.
    private var fact: String?
    /// The value, if it is a literal.
    private var literal: JSONValue?
    private var known: Set<String>
    private var work: Work

    static func outcome(of node: SyntaxNode, knowing known: Set<String>, _ work: Work) -> Outcome {
        FactGuards(node, knowing: known, work).outcome
    }

    private init(_ node: SyntaxNode, knowing known: Set<String>, _ work: Work) {
        (self.known, self.work) = (known, work)
        outcome = Outcome()
        work.take()
        guard !work.isOver else { return }
        switch node.kind {
        case .literal(let value): literal = value
        case .identifier(let name):
            guard let (word, name) = AudienceScope.parts(of: name), word == .answer else { return }
            fact = name
            outcome.ifTrue = [name]
        case .eventQuery: break
        case .segment(_, let root): outcome = Self.outcome(of: root, knowing: known, work)
        case .array(let items): evaluate(items)
        case .object(let members): evaluate(members.compactMap(\.value))
        case .chain(let first, let steps):
            self = FactGuards(first, knowing: known, work)
            for step in steps { apply(step.kind) }
        }
    }

    /// Notes parts that are evaluated whatever their values are.
    private mutating func evaluate(_ nodes: [SyntaxNode]) {
        for node in nodes { outcome.failing += Self.outcome(of: node, knowing: known, work).failing }
    }

    private mutating func apply(_ step: SyntaxStep.Kind) {
        switch step {
        case .operation("&&", let right): conjoin(right)
        case .operation("||", let right): disjoin(right)
        case .operation(let sign, let right): compare(sign, right)
        case .conditional(let then, let otherwise): choose(then, otherwise)
        case .member: become(Outcome(failing: outcome.failing))
        case .index(let index): become(with: [index])
        case .filter(_, _, let right): become(with: [right])
        case .transform(_, let arguments): become(with: arguments)
        }
    }

    /// Takes the place of the value on the left.
    private mutating func become(_ outcome: Outcome) {
        (self.outcome, fact, literal) = (outcome, nil, nil)
    }

    private mutating func become(with parts: [SyntaxNode]) {
        evaluate(parts)
        become(Outcome(failing: outcome.failing))
    }

    private mutating func conjoin(_ node: SyntaxNode) {
        let right = Self.outcome(of: node, knowing: known.union(outcome.ifTrue), work)
        become(
            Outcome(
                failing: outcome.failing + right.failing, ifTrue: outcome.ifTrue.union(right.ifTrue),
                ifFalse: outcome.ifFalse.intersection(outcome.ifTrue.union(right.ifFalse))))
    }

    /// An error on the left is discarded.
    private mutating func disjoin(_ node: SyntaxNode) {
        let skipped = outcome.ifSkipped
        let right = Self.outcome(of: node, knowing: known.union(skipped), work)
        become(
            Outcome(
                failing: right.failing, ifTrue: outcome.ifTrue.intersection(skipped.union(right.ifTrue)),
                ifFalse: skipped.union(right.ifFalse)))
    }

    /// An error of the condition is discarded.
    private mutating func choose(_ then: SyntaxNode, _ otherwise: SyntaxNode) {
        let skipped = outcome.ifSkipped
        let first = Self.outcome(of: then, knowing: known.union(outcome.ifTrue), work)
        let second = Self.outcome(of: otherwise, knowing: known.union(skipped), work)
        let (one, other) = (outcome.ifTrue, skipped)
        become(
            Outcome(
                failing: first.failing + second.failing,
                ifTrue: one.union(first.ifTrue).intersection(other.union(second.ifTrue)),
                ifFalse: one.union(first.ifFalse).intersection(other.union(second.ifFalse))))
    }

    private mutating func compare(_ sign: String, _ node: SyntaxNode) {
        let right = FactGuards(node, knowing: known, work)
        var result = Outcome(failing: outcome.failing + right.outcome.failing)
        switch sign {
        case "<", "<=", ">", ">=":
            let facts = [fact, right.fact].compactMap(\.self)
            result.failing += facts.filter { !known.contains($0) }
            // Without an error both were answers.
            (result.ifTrue, result.ifFalse) = (Set(facts), Set(facts))
        case "==", "!=":
            guard let name = fact ?? right.fact, let literal = literal ?? right.literal else { break }
            // Only of answers `x == null` and `x != 1` are false, and `x != null` and `x == 1` true.
            if (sign == "==") == (literal == .null) { result.ifFalse = [name] } else { result.ifTrue = [name] }
        case "in":
            if let fact, let list = right.literal?.array, !list.contains(.null) { result.ifTrue = [fact] }
        default: break
        }
        become(result)
    }
}
