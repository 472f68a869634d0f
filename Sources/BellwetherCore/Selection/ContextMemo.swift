/// A cache of the decisions that depend on one context and one catalog only. It has a byte for each trigger and each
/// recipe, and decisions fill it. It caches only the results of pure functions, so an empty memo gives the same
/// results. A memo belongs to one thread.
public final class ContextMemo {
    /// The outcomes by a trigger's position in the catalog; 0: not evaluated yet.
    private var triggers: [UInt8]
    /// The judgements by a recipe's position in the catalog's set: the low four bits for clients that are not enrolled,
    /// the high four for clients that are; 0: not evaluated yet.
    private var recipes: [UInt8]

    public init(for catalog: Catalog) {
        triggers = Array(repeating: 0, count: catalog.triggers.count)
        recipes = Array(repeating: 0, count: catalog.experiments.members.count)
    }

    /// The size in bytes.
    public var size: Int { triggers.count + recipes.count }

    @inline(__always)
    func outcome(of trigger: Int) -> TriggerOutcome? { TriggerOutcome(code: triggers[trigger]) }

    func note(_ outcome: TriggerOutcome, of trigger: Int) { triggers[trigger] = outcome.code }

    /// The judgement of a recipe's gates for app, channel and attributes.
    func judgement(of recipe: Int, isAlreadyEnrolled: Bool) -> EnrollmentJudgement? {
        let byte = recipes[recipe]
        return EnrollmentJudgement(code: isAlreadyEnrolled ? byte >> 4 : byte & 15)
    }

    /// Stores a judgement. Judgements without a code are not cached.
    func note(_ judgement: EnrollmentJudgement, of recipe: Int, isAlreadyEnrolled: Bool) {
        guard let code = judgement.code else { return }
        recipes[recipe] |= isAlreadyEnrolled ? code << 4 : code
    }
}

extension TriggerOutcome {
    /// The code, counted from 1.
    @inline(__always)
    var code: UInt8 { rawValue + 1 }

    @inline(__always)
    init?(code: UInt8) {
        guard code > 0 else { return nil }
        self.init(rawValue: code - 1)
    }
}

extension EnrollmentJudgement {
    fileprivate static let coded: [EnrollmentJudgement] = [
        .holds, .stops(.differentAppName), .stops(.differentChannel), .stops(.notTargeted),
    ]

    /// The code, counted from 1. It is nil for a judgement that depends on more than the context, and for errors,
    /// because they have a text.
    fileprivate var code: UInt8? { Self.coded.firstIndex(of: self).map { UInt8($0 + 1) } }

    fileprivate init?(code: UInt8) {
        guard code > 0 else { return nil }
        self = Self.coded[Int(code) - 1]
    }
}
