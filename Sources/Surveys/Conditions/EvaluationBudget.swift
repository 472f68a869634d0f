internal import BellwetherJSON

/// The budget for judging answers, in steps (docs/reference/surveys.md#budget).
///
/// Steps are counted instead of time, so that every machine judges the same answers in the same way. A step is a
/// comparison, or reading a few bytes of a text: at most about 20 ns on a usual machine. If the budget is used up, a
/// condition that is not decided is false, and an answer that is not decided has the fault `pattern`.
public struct EvaluationBudget: Sendable, Hashable {
    /// The numbers of conditions and answers that were not completely judged.
    public struct Overruns: Sendable, Hashable {
        public internal(set) var conditions = 0
        public internal(set) var answers = 0

        public var isEmpty: Bool { conditions == 0 && answers == 0 }
    }

    public private(set) var steps: Int
    public private(set) var overruns = Overruns()
    /// Whether the current judgement needed more steps than were left.
    public private(set) var isShort = false

    public init(steps: Int) { self.steps = steps }

    /// The budget of one request: about 10 ms.
    public static let wholeSave = EvaluationBudget(steps: 500_000)
    /// The budget of a judgement for which other writes wait: about half a millisecond.
    public static let amongWrites = EvaluationBudget(steps: 25_000)

    /// Whether any condition or answer was not completely judged.
    public var isOver: Bool { !overruns.isEmpty }

    /// Uses steps. Returns false if fewer steps were left; then none are left.
    package mutating func spend(_ count: Int) -> Bool {
        guard count <= steps else {
            (steps, isShort) = (0, true)
            return false
        }
        steps -= count
        return true
    }

    /// Ends the judgement of one condition or answer. Returns true if it needed more steps than were left.
    mutating func endsShort(_ kind: WritableKeyPath<Overruns, Int>) -> Bool {
        guard isShort else { return false }
        isShort = false
        overruns[keyPath: kind] += 1
        return true
    }
}

extension JSONValue {
    /// The steps for reading the value once. Several bytes of a text are one step.
    func steps(bytesInOne: Int) -> Int {
        switch self {
        case .string(let text): 1 + text.utf8.count / bytesInOne
        case .array(let values): values.reduce(1) { $0 + $1.steps(bytesInOne: bytesInOne) }
        case .object(let members):
            members.reduce(1) { $0 + $1.key.utf8.count / bytesInOne + $1.value.steps(bytesInOne: bytesInOne) }
        default: 1
        }
    }
}
