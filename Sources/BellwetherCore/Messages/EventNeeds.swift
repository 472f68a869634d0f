internal import BellwetherBase
internal import BellwetherJSON
internal import JEXL

/// The events without which an expression's outcome is settled, whatever else may be so of the client.
struct EventNeeds: Sendable, Hashable {
    /// A client that never had one of these finds that it does not hold: it is false or an error.
    private(set) var toHold: [String] = []
    /// A client that never had one of these finds that it is not false: it holds or is an error.
    private(set) var toFail: [String] = []

    /// So many of the events that an expression names are tried, for each is an evaluation at publish.
    static let maximumEvents = 16

    /// The needs of an expression that cannot be evaluated.
    init() {}

    /// An event counts only where the expression names it by a literal.
    init(of expression: CompiledExpression) {
        for event in expression.events.prefix(Self.maximumEvents) {
            switch expression.truth(in: WorldWithout(event: event)) {
            case .unknown: break
            case .doesNotHold, .neverHolds: toHold.append(event)
            case .holds: toFail.append(event)
            case .failed:
                toHold.append(event)
                toFail.append(event)
            }
        }
    }
}

/// A world of which one thing is known: that some event never happened. An event that a client's history does not have
/// is answered for just so (`BehaviorHistory.result`).
private final class WorldWithout: PartialEnvironment {
    private let event: String
    private(set) var unanswered = 0

    init(event: String) { self.event = event }

    func value(of identifier: String) -> JSONValue? {
        unanswered += 1
        return .null
    }

    func result(of query: EventQuery) -> Double {
        if query.event.hasSameBytes(as: event) { return query.kind.valueOfNothing }
        unanswered += 1
        return 0
    }

    func hash48(ofJSON text: [UInt8]) -> UInt64 { Hash48.hash(text) }
}
