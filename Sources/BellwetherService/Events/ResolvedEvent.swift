public import BellwetherCore

/// An event that was found good, with all that its application needs.
public struct ResolvedEvent: Sendable {
    /// Its place in the request.
    public let index: Int
    public let id: String?
    /// The time of its record.
    let at: Timestamp
    let kind: Kind

    enum Kind: Sendable {
        /// `then` is nil for an event that happens now.
        case behavior(name: String, count: UInt64, then: Timestamp?)
        case message(MessageAction, MessageFacts, actionUUID: String?)
        case microsurvey(MicrosurveyStep, MessageFacts)
        /// Nil: the client is not enrolled there, and nothing is recorded.
        case exposure(EnrolledBranch?, featureID: String)
    }
}

extension ClientEvent {
    /// Judges the event by the clock and by what is published (api.md 2.2).
    public func resolve(
        index: Int, in app: AppSnapshot, policy: EventPolicy, now: Timestamp
    ) -> Result<ResolvedEvent, RejectedEvent> {
        if let at, at > now.adding(seconds: EventPolicy.toleranceSeconds) {
            return reject(index, "future", "the event is dated more than 5 minutes ahead")
        }
        if let at, at < now.adding(seconds: -policy.dedupSeconds) {
            return reject(index, "too_old", "the event is older than event ids are remembered")
        }
        switch kind {
        case .behavior(let name, let count):
            let isPast = at.map { $0 < now.adding(seconds: -EventPolicy.toleranceSeconds) } ?? false
            return resolved(index, .behavior(name: name, count: count, then: isPast ? at : nil), now)
        case .message(let action, let key, let uuid):
            guard let facts = app.facts(of: key) else { return unknown(index, key) }
            if action == .displayed, facts.isControl {
                return reject(index, "not_displayable", "message \"\(key)\" is a control, which is never displayed")
            }
            return resolved(index, .message(action, facts, actionUUID: uuid), now)
        case .microsurvey(let step, let key):
            guard let facts = app.facts(of: key) else { return unknown(index, key) }
            guard facts.isMicrosurvey else {
                return reject(index, "not_microsurvey", "message \"\(key)\" is no microsurvey")
            }
            return resolved(index, .microsurvey(step, facts), now)
        case .exposure(let experiment, let featureID):
            // Messaging co-enrolls: without a slug there is no one experiment to expose (nimbus-messaging.md G).
            let enrollment = experiment.flatMap { app.catalog.enrollment(in: $0) }
            return resolved(index, .exposure(enrollment, featureID: featureID ?? "messaging"), now)
        }
    }

    private func resolved(
        _ index: Int, _ kind: ResolvedEvent.Kind, _ now: Timestamp
    ) -> Result<ResolvedEvent, RejectedEvent> {
        .success(ResolvedEvent(index: index, id: id, at: at ?? now, kind: kind))
    }

    private func reject(_ index: Int, _ code: String, _ message: String) -> Result<ResolvedEvent, RejectedEvent> {
        .failure(RejectedEvent(rejection: EventRejection(index: index, code: code, message: message)))
    }

    private func unknown(_ index: Int, _ key: String) -> Result<ResolvedEvent, RejectedEvent> {
        reject(index, "unknown_message", "no message \"\(key)\" was ever published")
    }
}

public struct RejectedEvent: Error, Sendable {
    public let rejection: EventRejection
}
