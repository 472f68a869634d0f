public import BellwetherBase
public import BellwetherCore
internal import BellwetherJSON
internal import JEXL

/// A client of a sample.
public struct ForecastSubject: Sendable {
    public let context: TargetingContext
    /// The client's event counters; nil if they are not known.
    let behavior: BehaviorHistory?
    /// The time of the poll that the client was sampled at.
    let polledAt: Timestamp

    public init(_ context: TargetingContext, _ behavior: BehaviorHistory? = nil, at time: Timestamp) {
        (self.context, self.behavior, polledAt) = (context, behavior, time)
    }
}

/// The values of a client of a sample: attributes, event counters as they were at its poll, and the clock. Lists,
/// answers, ids and the client's other enrollments are unknown. In the recipe itself the client is not yet enrolled.
final class ForecastEnvironment: PartialEnvironment {
    /// The attributes that identify a client. A sample contains none of them.
    static let identifiers: Set<String> = ["nimbus_id", "user_id"]
    private static let unknown = identifiers.union(["active_experiments", "enrollments", "enrollments_map"])

    private let subject: ForecastSubject
    private let events: DerivedEvents
    private let now: Timestamp
    private(set) var unanswered = 0
    /// Whether the evaluation read the context.
    var hasReadContext = false

    init(_ subject: ForecastSubject, _ events: DerivedEvents, now: Timestamp) {
        (self.subject, self.events, self.now) = (subject, events, now)
    }

    private var context: TargetingContext { subject.context }

    func value(of identifier: String) -> JSONValue? {
        if let value = context.attributes[identifier] {
            hasReadContext = true
            return value
        }
        switch identifier {
        case "current_date": return .integer(now.seconds)
        case "is_already_enrolled": return false
        case _ where Self.unknown.contains(identifier) || isUnknownAudience(identifier):
            unanswered += 1
            return .null
        default:
            hasReadContext = true
            return context.value(of: identifier)
        }
    }

    private func isUnknownAudience(_ identifier: String) -> Bool {
        AudienceScope.parts(of: identifier).map { $0.word != .segment } ?? false
    }

    func result(of query: EventQuery) -> Double {
        guard let behavior = subject.behavior else {
            unanswered += 1
            return 0
        }
        hasReadContext = true
        return behavior.result(of: query, at: subject.polledAt, of: events)
    }

    func hash48(ofJSON text: [UInt8]) -> UInt64 { Hash48.hash(text) }
}

extension TargetingContext {
    /// The context without the attributes that identify a client.
    public var withoutIdentifiers: TargetingContext {
        guard ForecastEnvironment.identifiers.contains(where: { attributes[$0] != nil }) else { return self }
        return TargetingContext(
            requestedLocale: requestedLocale, defaultLocale: locale,
            attributes: attributes.filter { !ForecastEnvironment.identifiers.contains($0.key) })
    }
}
