internal import BellwetherBase
public import BellwetherJSON

/// The verdict of one gate about a client's message, and the values that the gate read.
public struct GateOutcome: Sendable {
    public let gate: String
    public let holds: Bool
    public let values: JSONObject
    /// All reasons why the gate does not hold.
    public let blockers: [Blocker]
}

extension Gate {
    /// The outcome of this gate; nil if neither the message nor the app sets a value for it.
    func outcome(of candidate: Candidate, _ facts: ClientFacts) -> GateOutcome? {
        let holds = judge(candidate, facts) == .holds
        let values = values(of: candidate, facts)
        guard values != nil || !holds else { return nil }
        return GateOutcome(gate: name, holds: holds, values: values ?? [:], blockers: blockers(of: candidate, facts))
    }

    /// The values that the gate reads for a message; nil if the message and its app have no such gate.
    private func values(of candidate: Candidate, _ facts: ClientFacts) -> JSONObject? {
        let message = facts.message(of: candidate)
        let entry = facts.entry(of: message)
        let (app, pacing) = (facts.catalog.pacing, message.facts.pacing)
        switch self {
        case .surface: return ["surface": .string(message.facts.surface)]
        case .displayCap:
            return [
                "display_count": .integer(Int64(entry.displayCount)),
                "max_display_count": message.facts.cap.map { .integer(Int64($0)) } ?? .null,
            ]
        case .interaction:
            return ["dismissals": .integer(Int64(entry.dismissals)), "clicked": .bool(entry.isClicked)]
        case .triggers: return message.triggers.isEmpty && message.definition.launchTrigger == nil ? nil : [:]
        case .exclusions: return message.exclusions.isEmpty ? nil : [:]
        case .content, .optOut, .responded: return message.definition.presents.map { ["presents": .string($0)] }
        case .cooldownAny:
            return app.flatMap { $0.cooldownSeconds > 0 ? ["seconds": .integer($0.cooldownSeconds)] : nil }
        case .caps: return app.flatMap { $0.caps.isEmpty ? nil : ["caps": .integer(Int64($0.caps.count))] }
        case .quietHours: return app?.quietHours == nil ? nil : [:]
        case .schedule: return pacing.flatMap(Self.values(ofSchedule:))
        case .displayLimit:
            return pacing?.displayLimit.map {
                ["count": .integer(Int64(entry.displayCount)), "limit": .integer(Int64($0))]
            }
        case .cooldown: return pacing?.cooldownSeconds.map { ["seconds": .integer($0)] }
        case .quotas: return pacing.flatMap { $0.quotas.isEmpty ? nil : ["quotas": .integer(Int64($0.quotas.count))] }
        case .responseLimit: return pacing?.responseLimit.map { ["limit": .integer(Int64($0))] }
        case .sampling:
            return pacing?.sample.map { ["count": .integer(Int64($0.count)), "total": .integer(Int64($0.total))] }
        }
    }

    private static func values(ofSchedule pacing: Pacing) -> JSONObject? {
        var values: JSONObject = [:]
        if let start = pacing.start { values["start"] = .string(start.rfc3339) }
        if let end = pacing.end { values["end"] = .string(end.rfc3339) }
        return values.isEmpty ? nil : values
    }

    private var name: String {
        switch self {
        case .surface: "surface"
        case .content: "content"
        case .schedule: "schedule"
        case .optOut: "opt_out"
        case .displayCap: "display_cap"
        case .interaction: "interaction"
        case .triggers: "triggers"
        case .exclusions: "exclusions"
        case .responded: "responded"
        case .displayLimit: "display_limit"
        case .cooldown: "cooldown"
        case .cooldownAny: "cooldown_any"
        case .caps: "caps"
        case .quietHours: "quiet_hours"
        case .quotas: "quotas"
        case .responseLimit: "response_limit"
        case .sampling: "sampling"
        }
    }
}
