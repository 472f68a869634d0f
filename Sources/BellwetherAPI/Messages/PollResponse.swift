internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Makes a poll's answer: spliced from rendered messages, its entity tag from their digests.
struct PollResponse {
    let polling: PollAnswering
    let poll: Poll
    let delivery: Delivery
    let tally: EventTally?

    private static let cacheControl = Array("Cache-Control: private, no-cache\r\n".utf8)
    private static let contentType = Array("Content-Type: application/json\r\n".utf8)

    var response: Response {
        let seconds = nextPollSeconds
        let messages = delivery.offers.map { (rendered($0), $0.displayCount) }
        let meter = polling.call.worker.meter
        if let tally { meter.count(tally) }
        let events = tally?.json.encoded
        var tag = EntityTagBuilder()
        for (message, count) in messages { tag.add(message.digest, count) }
        tag.add(seconds)
        if let events { tag.add(bytes: events) }
        let etag = tag.bytes
        var headers = Array("ETag: ".utf8)
        headers.reserveCapacity(128)
        headers += etag
        headers += [0x0D, 0x0A]
        headers += Self.cacheControl
        let request = polling.call.request
        if request.method == .get || request.method == .head, let known = request.header(.ifNoneMatch),
            EntityTag.matches(ifNoneMatch: known, etag: etag[...])
        {
            meter.count(.unchanged)
            return Response(304, headers: headers)
        }
        meter.count(outcome)
        headers += Self.contentType
        return Response(200, headers: headers, body: .bytes(body(messages, seconds, events)))
    }

    private var outcome: WorkerMeter.Poll {
        if !delivery.offers.isEmpty { return .message }
        if !delivery.effects.controls.isEmpty { return .control }
        return polling.app.catalog.messages.isEmpty ? .noLiveMessage : .nothing
    }

    private func body(_ messages: [(RenderedMessage, count: Int)], _ seconds: Int, _ events: [UInt8]?) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(messages.reduce(64) { $0 + $1.0.beforeCount.count + $1.0.afterCount.count + 12 })
        output += "{\"messages\":[".utf8
        for (index, (message, count)) in messages.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output += message.beforeCount
            JSONText.append(Int64(count), to: &output)
            output += message.afterCount
        }
        output += "],\"next_poll_seconds\":".utf8
        JSONText.append(Int64(seconds), to: &output)
        if let events {
            output += ",\"events\":".utf8
            output += events
        }
        output.append(UInt8(ascii: "}"))
        return output
    }

    private func rendered(_ offer: Offer) -> RenderedMessage {
        let message = offer.message
        return polling.call.worker.rendered.message(message, locale: poll.query.context.requestedLocale?.text) {
            RenderedMessage(message, presentation: presentation(message), action: action(offer))
        }
    }

    private func presentation(_ message: Message) -> Presentation {
        Presentation(
            message, manifest: poll.app.manifest, localizer: polling.context.localizer,
            requestedLocale: poll.query.context.requestedLocale)
    }

    private func action(_ offer: Offer) -> PressableAction? {
        let message = offer.message
        return PressableAction(message, manifest: poll.app.manifest, value: poll.query.context.value(of:)) {
            ActionUUID.derive(
                secret: polling.call.services.secret,
                parts: [
                    poll.app.name, poll.client.id, message.key, String(message.revision),
                    String(offer.displayCount),
                ])
        }
    }

    /// Spread by client within 10 % of the setting, so that clients that started together drift apart (api.md 2.1).
    private var nextPollSeconds: Int {
        let base = polling.call.worker.settings.nextPollSeconds
        let spread = base / 10
        guard spread > 0 else { return base }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in poll.client.id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return base - spread + Int((hash ^ hash >> 32) % UInt64(2 * spread + 1))
    }
}

/// Mixes what makes up a body into an entity tag: 128 bits, so that two bodies never share one by chance.
struct EntityTagBuilder {
    private var state: (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F)

    mutating func add(_ digest: (UInt64, UInt64), _ count: Int) {
        mix(digest.0)
        mix(digest.1)
        mix(UInt64(truncatingIfNeeded: count))
    }

    mutating func add(_ number: Int) { mix(UInt64(truncatingIfNeeded: number)) }

    mutating func add(bytes: [UInt8]) { for byte in bytes { mix(UInt64(byte)) } }

    /// Quoted, 32 hex digits.
    var bytes: [UInt8] {
        var output: [UInt8] = [UInt8(ascii: "\"")]
        output.reserveCapacity(34)
        for word in [state.0, state.1] {
            for shift in stride(from: 60, through: 0, by: -4) {
                let digit = UInt8(word >> UInt64(shift) & 15)
                output.append(digit < 10 ? digit + 0x30 : digit + 0x57)
            }
        }
        output.append(UInt8(ascii: "\""))
        return output
    }

    /// The finalizer of splitmix64, over each half with its own word.
    private mutating func mix(_ word: UInt64) {
        state.0 = Self.scramble(state.0 ^ word)
        state.1 = Self.scramble(state.1 &+ word &+ state.0)
    }

    private static func scramble(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
