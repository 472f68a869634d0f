internal import BellwetherBase

extension Pattern {
    /// Whether some part of the text matches. False if the text is too long, or if the budget is
    /// used up before the result is known. The creation of the threads costs one step for 16 instructions.
    public func isFound(in text: String, _ budget: inout EvaluationBudget) -> Bool {
        let scalars = Array(text.unicodeScalars.prefix(Self.maximumTextLength + 1))
        guard scalars.count <= Self.maximumTextLength, budget.spend(program.count >> 4) else { return false }
        var place = PatternPosition(text: scalars)
        var current = PatternThreads(self)
        var next = PatternThreads(self)
        while true {
            guard current.start(0, at: place, &budget) else { return false }
            if current.hasMatched { return true }
            guard let scalar = place.scalar else { return false }
            let spellings = scalar.isASCII ? [] : spellings(of: scalar)
            place.position += 1
            for instruction in current.waiting {
                guard let takes = takes(instruction, scalar, spellings, &budget) else { return false }
                if takes, !next.start(instruction + 1, at: place, &budget) { return false }
            }
            if next.hasMatched { return true }
            swap(&current, &next)
            next.removeAll()
        }
    }

    /// Whether an instruction that waits for a character accepts this one; nil if the budget is used up.
    private func takes(
        _ instruction: Int32, _ scalar: Unicode.Scalar, _ spellings: [Unicode.Scalar],
        _ budget: inout EvaluationBudget
    ) -> Bool? {
        guard case .character(let index) = program[Int(instruction)] else { return false }
        if scalar.isASCII { return budget.spend(1) ? asciiSets[Int(index)].contains(UInt8(ascii: scalar)) : nil }
        let set = classes[Int(index)]
        guard budget.spend(set.members.count * spellings.count) else { return nil }
        return set.contains(oneOf: spellings)
    }

    /// The character, and its other case if case is ignored.
    private func spellings(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        var spellings = [scalar]
        guard ignoresCase else { return spellings }
        for other in [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping] {
            let scalars = other.unicodeScalars
            if let single = scalars.first, scalars.count == 1, !spellings.contains(single) { spellings.append(single) }
        }
        return spellings
    }
}

/// A position between two characters of a text, or at one of its ends.
private struct PatternPosition {
    let text: [Unicode.Scalar]
    var position = 0

    var scalar: Unicode.Scalar? { position < text.count ? text[position] : nil }

    func holds(_ assertion: Pattern.Assertion) -> Bool {
        switch assertion {
        case .start: return position == 0
        case .end: return position == text.count
        case .wordBoundary, .noWordBoundary:
            let before = position > 0 && CharacterClass.isWord(text[position - 1])
            let after = position < text.count && CharacterClass.isWord(text[position])
            return (before != after) == (assertion == .wordBoundary)
        }
    }
}

/// The threads of a search at one position.
private struct PatternThreads {
    /// The instructions that wait for a character, each once.
    private(set) var waiting: [Int32] = []
    private(set) var hasMatched = false
    private let program: [Pattern.Instruction]
    private var isVisited: [Bool]
    private var visited: [Int32] = []
    /// A stack instead of recursion, because the nesting of a pattern may be as deep as its length.
    private var pending: [Int32] = []

    init(_ pattern: Pattern) {
        program = pattern.program
        isVisited = Array(repeating: false, count: program.count)
    }

    /// Follows all instructions that need no character. Returns false if the budget is used up.
    mutating func start(_ first: Int32, at place: PatternPosition, _ budget: inout EvaluationBudget) -> Bool {
        pending.append(first)
        while let instruction = pending.popLast() {
            guard budget.spend(1) else { return false }
            guard !isVisited[Int(instruction)] else { continue }
            isVisited[Int(instruction)] = true
            visited.append(instruction)
            switch program[Int(instruction)] {
            case .character: waiting.append(instruction)
            case .assertion(let assertion): if place.holds(assertion) { pending.append(instruction + 1) }
            case .split(let first, let second): pending += [second, first]
            case .jump(let target): pending.append(target)
            case .match: hasMatched = true
            }
        }
        return true
    }

    mutating func removeAll() {
        for instruction in visited { isVisited[Int(instruction)] = false }
        visited.removeAll(keepingCapacity: true)
        waiting.removeAll(keepingCapacity: true)
    }
}
