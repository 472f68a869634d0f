internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Makes a poll's answer of what was decided, from rendered messages.
struct PollRendering {
    let polling: PollAnswering
    let decision: Decision

    func answer(_ tally: EventTally?) -> PollAnswer {
        if let tally { polling.call.worker.meter.count(tally) }
        return PollAnswer(
            decision.offers.map { (rendered($0), $0.displayCount) }, nextPollSeconds: nextPollSeconds,
            events: tally?.json.encoded, outcome: outcome)
    }

    private var outcome: WorkerMeter.Poll {
        if !decision.offers.isEmpty { return .message }
        if !decision.effects.controls.isEmpty { return .control }
        return polling.app.catalog.messages.isEmpty ? .noLiveMessage : .nothing
    }

    /// Whether all of it is shared with other clients.
    var isShared: Bool { decision.offers.allSatisfy { !ResolvedAction.isPersonal($0.message) } }

    private func rendered(_ offer: Offer) -> RenderedMessage {
        let message = offer.message
        return polling.call.worker.contexts.rendered(message, locale: targeting.requestedLocale?.text) {
            RenderedMessage(message, presentation: presentation(message), action: action(offer))
        }
    }

    private var targeting: TargetingContext { polling.context.targeting }

    private func presentation(_ message: Message) -> Presentation {
        Presentation(
            message, manifest: polling.app.manifest, localizer: polling.context.localizer,
            requestedLocale: targeting.requestedLocale)
    }

    private func action(_ offer: Offer) -> ResolvedAction? {
        let message = offer.message
        return polling.app.compiledApp.action(of: message, for: polling.poll.query) {
            ActionUUID.derive(
                secret: polling.call.services.secret,
                parts: [
                    polling.app.name, polling.clientID, message.key, String(message.revision),
                    String(offer.displayCount),
                ])
        }
    }

    /// Spread by client within 10 % of the setting, so that clients that started together drift apart
    /// (docs/reference/http-api.md#the-poll).
    private var nextPollSeconds: Int {
        let base = polling.call.worker.settings.nextPollSeconds
        let spread = base / 10
        guard spread > 0 else { return base }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in polling.clientID.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return base - spread + Int((hash ^ hash >> 32) % UInt64(2 * spread + 1))
    }
}
