internal import BellwetherBase
internal import BellwetherJSON
internal import JEXL

/// The events whose absence settles an expression's outcome, whatever the other facts about the client are.
struct EventNeeds: Sendable, Hashable {
    /// Events that are necessary for the expression to hold. For a client that never had one of them, it is false or an
    /// error.
    private(set) var toHold: [Identifier] = []
    /// Events that are necessary for the expression to be false. For a client that never had one of them, it holds or
    /// is an error.
    private(set) var toFail: [Identifier] = []

    /// The number of the expression's events that are tried. Each costs an evaluation at publish.
    static let maximumEvents = 16

    /// The needs of an expression that cannot be evaluated.
    init() {}

    /// Finds the needs of an expression. An event counts only if the expression names it by a literal.
    init(of expression: CompiledExpression) {
        for event in expression.events.prefix(Self.maximumEvents) {
            switch expression.truth(in: WorldWithout(event: Identifier(event))) {
            case .unknown: break
            case .doesNotHold, .neverHolds: toHold.append(Identifier(event))
            case .holds: toFail.append(Identifier(event))
            case .failed:
                toHold.append(Identifier(event))
                toFail.append(Identifier(event))
            }
        }
    }
}

/// An environment with only one known fact: a certain event never happened. A query about an event that is not in a
/// client's history has the same result (`BehaviorHistory.result`).
private final class WorldWithout: PartialEnvironment {
    private let event: Identifier
    private(set) var unanswered = 0

    init(event: Identifier) { self.event = event }

    func value(of identifier: String) -> JSONValue? {
        unanswered += 1
        return .null
    }

    func result(of query: EventQuery) -> Double {
        if event == query.event { return query.kind.valueOfNothing }
        unanswered += 1
        return 0
    }

    func hash48(ofJSON text: [UInt8]) -> UInt64 { Hash48.hash(text) }
}
