internal import BellwetherBase
public import BellwetherJSON

/// The verdict of one gate about a client's message, and the values that it has read.
public struct GateOutcome: Sendable {
    public let gate: String
    public let holds: Bool
    public let values: JSONObject
    /// Everything that keeps it closed.
    public let blockers: [Blocker]
}

extension Gate {
    /// Nil where the message, or the app, sets nothing that the gate asks for.
    func outcome(of candidate: Candidate, _ facts: ClientFacts) -> GateOutcome? {
        let holds = judge(candidate, facts) == .holds
        let values = values(of: candidate, facts)
        guard values != nil || !holds else { return nil }
        return GateOutcome(gate: name, holds: holds, values: values ?? [:], blockers: blockers(of: candidate, facts))
    }

    private func values(of candidate: Candidate, _ facts: ClientFacts) -> JSONObject? {
        let message = facts.message(of: candidate)
        let entry = facts.ledger[message.key]
        switch self {
        case .surface: return ["surface": .string(message.facts.surface)]
        case .displayCap:
            return [
                "display_count": .integer(Int64(entry.displayCount)),
                "max_display_count": .integer(Int64(message.facts.maxDisplayCount)),
            ]
        case .interaction:
            return ["dismissals": .integer(Int64(entry.dismissals)), "clicked": .bool(entry.isClicked)]
        case .triggers: return message.triggers.isEmpty && message.definition.launchTrigger == nil ? nil : [:]
        case .exclusions: return message.exclusions.isEmpty ? nil : [:]
        case .content, .optOut, .responded: return message.definition.presents.map { ["presents": .string($0)] }
        case .cooldownAny, .caps, .quietHours: return valuesOfApp(facts)
        case .schedule, .displayLimit, .cooldown, .quotas, .responseLimit, .sampling:
            return valuesOfPacing(message, count: Int64(entry.displayCount))
        }
    }

    private func valuesOfApp(_ facts: ClientFacts) -> JSONObject? {
        guard let pacing = facts.catalog.pacing else { return nil }
        switch self {
        case .cooldownAny: return pacing.cooldownSeconds > 0 ? ["seconds": .integer(pacing.cooldownSeconds)] : nil
        case .caps: return pacing.caps.isEmpty ? nil : ["caps": .integer(Int64(pacing.caps.count))]
        default: return pacing.quietHours == nil ? nil : [:]
        }
    }

    private func valuesOfPacing(_ message: Message, count: Int64) -> JSONObject? {
        guard let pacing = message.facts.pacing else { return nil }
        switch self {
        case .schedule:
            var values: JSONObject = [:]
            if let start = pacing.start { values["start"] = .string(start.rfc3339) }
            if let end = pacing.end { values["end"] = .string(end.rfc3339) }
            return values.isEmpty ? nil : values
        case .displayLimit:
            return pacing.displayLimit.map { ["count": .integer(count), "limit": .integer(Int64($0))] }
        case .cooldown: return pacing.cooldownSeconds.map { ["seconds": .integer($0)] }
        case .quotas: return pacing.quotas.isEmpty ? nil : ["quotas": .integer(Int64(pacing.quotas.count))]
        case .responseLimit: return pacing.responseLimit.map { ["limit": .integer(Int64($0))] }
        default:
            return pacing.sample.map { ["count": .integer(Int64($0.count)), "total": .integer(Int64($0.total))] }
        }
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
