public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON

/// A valid event, with everything that is needed to apply it; or a refused event, whose id the store may know.
public struct ResolvedEvent: Sendable {
    /// Its index in the request.
    public let index: Int
    public let id: Identifier?
    /// The time for the event's record.
    let at: Timestamp
    let kind: Kind
    var sessionID: Identifier?

    enum Kind: Sendable {
        /// `then` is nil for an event that happens now.
        case behavior(BehaviorEvent, then: Timestamp?)
        case message(MessageAction, key: Identifier, actionUUID: String?)
        case microsurvey(MicrosurveyStep, key: Identifier)
        case exposure(experiment: Identifier?, featureID: Identifier)
        case refused(code: String, message: String)
    }

    /// A refused event. If its id is known already, it is still counted as a duplicate
    /// (docs/reference/events.md#event-ids-and-duplicates).
    public init(refused rejection: EventRejection, id: Identifier, now: Timestamp) {
        index = rejection.index
        self.id = id
        at = now
        kind = .refused(code: rejection.code, message: rejection.message)
    }

    init(index: Int, id: Identifier?, at: Timestamp, kind: Kind) {
        self.index = index
        self.id = id
        self.at = at
        self.kind = kind
    }
}

extension ClientEvent {
    /// Judges the event by the clock and by the published messages (docs/reference/events.md#event-times). Rules that
    /// depend on the client's branches apply when the event is recorded. This function refuses only events that are
    /// invalid for every client.
    public func resolve(
        index: Int, in app: AppSnapshot, policy: EventPolicy, now: Timestamp
    ) -> Result<ResolvedEvent, RejectedEvent> {
        let then: Timestamp?
        switch Time(at, now: now, remembered: policy.dedupSeconds) {
        case .future: return reject(index, "future", "the event is dated more than 5 minutes ahead")
        case .tooOld: return reject(index, "too_old", "the event is older than event ids are remembered")
        case .past(let time): then = time
        case .now: then = nil
        }
        switch kind {
        case .behavior(let name, let count, let properties):
            let events = app.compiledApp.catalog.derivedEvents
            guard !events.contains(name) else {
                return reject(index, "derived", "the manifest derives \"\(name)\" from another event")
            }
            let event = BehaviorEvent(
                name: name, count: count, properties: app.manifest.properties(of: name, in: properties),
                deriving: events)
            return resolved(index, .behavior(event, then: then), now)
        case .message(let action, let key, let uuid):
            if let fault = fault(key, app, { MessageFault(action, $0) }) { return reject(index, fault) }
            return resolved(index, .message(action, key: key, actionUUID: uuid), now)
        case .microsurvey(let step, let key):
            if let fault = fault(key, app, { MessageFault(step, $0) }) { return reject(index, fault) }
            return resolved(index, .microsurvey(step, key: key), now)
        case .exposure(let experiment, let featureID):
            let feature = featureID ?? Experiment.messagingFeature
            return resolved(index, .exposure(experiment: experiment, featureID: feature), now)
        }
    }

    /// Returns the fault that the event has with every variant of the message, if there is one.
    private func fault(_ key: Identifier, _ app: AppSnapshot, _ fault: (MessageFacts) -> MessageFault?) -> MessageFault?
    {
        let variants = app.everyVariant(of: key)
        let faults = variants.compactMap(fault)
        return variants.isEmpty ? .unknown(key) : faults.count == variants.count ? faults.first : nil
    }

    private func resolved(
        _ index: Int, _ kind: ResolvedEvent.Kind, _ now: Timestamp
    ) -> Result<ResolvedEvent, RejectedEvent> {
        var event = ResolvedEvent(index: index, id: id, at: at ?? now, kind: kind)
        event.sessionID = sessionID
        return .success(event)
    }

    private func reject(_ index: Int, _ fault: MessageFault) -> Result<ResolvedEvent, RejectedEvent> {
        reject(index, fault.code, fault.message)
    }

    private func reject(_ index: Int, _ code: String, _ message: String) -> Result<ResolvedEvent, RejectedEvent> {
        .failure(RejectedEvent(rejection: EventRejection(index: index, code: code, message: message)))
    }
}

public struct RejectedEvent: Error, Sendable {
    public let rejection: EventRejection
}

/// The reason why an event does not fit its message.
struct MessageFault {
    let code: String
    let message: String

    /// Nil if the action is possible for the message.
    init?(_ action: MessageAction, _ facts: MessageFacts) {
        guard action == .displayed, facts.isControl else { return nil }
        code = "not_displayable"
        message = "message \"\(facts.key)\" is a control, which is never displayed"
    }

    init?(_ step: MicrosurveyStep, _ facts: MessageFacts) {
        guard !facts.kind.takes(step) else { return nil }
        code = "not_microsurvey"
        message = "message \"\(facts.key)\" is no microsurvey"
    }

    private init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    static func unknown(_ key: Identifier) -> MessageFault {
        MessageFault(code: "unknown_message", message: "no message \"\(key)\" was ever published")
    }
}
