internal import BellwetherBase
public import BellwetherCore
internal import BellwetherJSON
internal import JEXL

/// The values of a client of which only a context is known: attributes and the clock. Events, ids and the client's
/// other enrollments are unknown. In the recipe itself the client is not yet enrolled.
final class ForecastEnvironment: PartialEnvironment {
    /// The attributes that identify a client. A sample contains none of them.
    static let identifiers: Set<String> = ["nimbus_id", "user_id"]
    private static let unknown = identifiers.union(["active_experiments", "enrollments", "enrollments_map"])

    private let context: TargetingContext
    private let now: Timestamp
    private(set) var unanswered = 0
    /// Whether the evaluation read the context.
    var hasReadContext = false

    init(_ context: TargetingContext, now: Timestamp) {
        self.context = context
        self.now = now
    }

    func value(of identifier: String) -> JSONValue? {
        if let value = context.attributes[identifier] {
            hasReadContext = true
            return value
        }
        switch identifier {
        case "current_date": return .integer(now.seconds)
        case "is_already_enrolled": return false
        case _ where Self.unknown.contains(identifier):
            unanswered += 1
            return .null
        default:
            hasReadContext = true
            return context.value(of: identifier)
        }
    }

    func result(of query: EventQuery) -> Double {
        unanswered += 1
        return 0
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
