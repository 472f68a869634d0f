internal import BellwetherCore
internal import BellwetherJSON
internal import JEXL

/// Display caps of zero, and ranks that decide nothing.
extension DocumentCheck {
    func checkStyles(of value: LocatedMessaging) {
        for (_, style) in value.entries(of: "styles") {
            PacingCheck.check(style.optional("pacing"), at: context.now, findings: findings)
            guard let cap = style.optional("max-display-count"), let count = cap.value.integer, count <= 0 else {
                continue
            }
            findings.warn("cap_zero", at: cap.pointer, "messages of this style expire before they are shown")
        }
    }

    /// Reports the style's cap at the message. A style that the document defines has its finding at the style.
    func checkCap(of message: LocatedMessage, in value: LocatedMessaging) {
        guard let location = message.field("style"), let name = message.text(at: location),
            value.names.patch["styles"]?.object?[name] == nil, let style = value.style(name),
            style.maxDisplayCount <= 0
        else { return }
        findings.warn(
            "cap_zero", at: location.pointer, "style \"\(name)\" allows no display: the message is never shown")
    }

    /// Messages of other documents with the same priority on the same surface, if a client may be eligible for both.
    /// Then the keys decide (docs/reference/messaging.md#selection). A document that sets neither style nor surface of
    /// another document's message did not choose its rank. A malformed message has no rank.
    func checkRank(of message: LocatedMessage, in value: LocatedMessaging, except own: Set<Identifier>) {
        let definition = message.definition
        let isRanked = message.isNew || message.field("style") != nil || message.field("surface") != nil
        guard isRanked, value.isServed(message), let catalog = context.live?.catalog,
            let style = value.style(definition.style.text)
        else { return }
        var peers: [Identifier] = []
        var looked = 0
        for position in catalog.candidates.ofSurface(definition.surface).map({ Int($0.message) }) {
            let other = catalog.messages[position]
            guard other.style.priority == style.priority, !own.contains(other.key) else { continue }
            // The variants of a message are adjacent.
            guard peers.last != other.key else { continue }
            looked += 1
            guard looked <= Self.maximumPeers else { break }
            if mayMeet(message, in: value, other) { peers.append(other.key) }
        }
        guard !peers.isEmpty else { return }
        findings.warn(
            "priority_tie", at: (message.field("style") ?? message.location).pointer,
            "on surface \"\(definition.surface)\" priority \(style.priority) is also that of "
                + peers.map { "\"\($0)\"" }.listed(atMost: 3) + ": the keys' order decides who is first")
    }

    /// The maximum number of examined messages.
    private static let maximumPeers = 20

    private func mayMeet(_ message: LocatedMessage, in value: LocatedMessaging, _ other: Message) -> Bool {
        guard let catalog = context.live?.catalog else { return true }
        let own = conditions(of: message, in: value)
        func expressions(_ uses: [TriggerUse]) -> [CompiledExpression] {
            uses.compactMap { try? catalog.triggers[$0.expression].expression.get() }
        }
        return self.expressions.analysis.mayHold(
            all: own.all + expressions(other.triggers), none: own.none + expressions(other.exclusions))
    }
}
