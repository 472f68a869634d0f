internal import BellwetherJSON

/// The budget of judging answers, in steps (docs/reference/surveys.md#budget).
///
/// Steps are counted, never time: the same answers are judged the same on every machine. A step is a comparison, or
/// some bytes of a text that is read: at most some 20 ns on a usual machine. A condition that is not judged when the
/// budget is used up does not hold: a condition is false, an answer has the fault `pattern`.
public struct EvaluationBudget: Sendable, Hashable {
    /// The counts of conditions and answers that were not judged to the end.
    public struct Overruns: Sendable, Hashable {
        public internal(set) var conditions = 0
        public internal(set) var answers = 0

        public var isEmpty: Bool { conditions == 0 && answers == 0 }
    }

    public private(set) var steps: Int
    public private(set) var overruns = Overruns()
    /// Whether the present judgement needed more steps.
    public private(set) var isShort = false

    public init(steps: Int) { self.steps = steps }

    /// The budget of one request: some 10 ms.
    public static let wholeSave = EvaluationBudget(steps: 500_000)
    /// The budget of a judgement for which other writes wait: some half a millisecond.
    public static let amongWrites = EvaluationBudget(steps: 25_000)

    /// Whether a condition or an answer was not judged to the end.
    public var isOver: Bool { !overruns.isEmpty }

    /// Takes steps. False: more than are left were needed, and none are left now.
    package mutating func spend(_ count: Int) -> Bool {
        guard count <= steps else {
            (steps, isShort) = (0, true)
            return false
        }
        steps -= count
        return true
    }

    /// Ends the judgement of one condition or answer. True: it needed more steps than there were.
    mutating func endsShort(_ kind: WritableKeyPath<Overruns, Int>) -> Bool {
        guard isShort else { return false }
        isShort = false
        overruns[keyPath: kind] += 1
        return true
    }
}

extension JSONValue {
    /// The steps of reading the value once; some bytes of a text are one step.
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
