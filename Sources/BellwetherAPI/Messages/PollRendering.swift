internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// Makes a poll's response from its decision and from rendered messages.
struct PollRendering {
    let polling: PollHandler
    let decision: Decision

    func response(_ tally: EventTally?) -> PollResponse {
        if let tally { polling.call.count(tally, of: polling.app.name) }
        return PollResponse(
            decision.offers.map { (rendered($0), $0.displayCount) }, nextPollSeconds: nextPollSeconds,
            events: tally?.json.encoded, outcome: outcome)
    }

    private var outcome: WorkerMeter.Poll {
        if !decision.offers.isEmpty { return .message }
        if !decision.effects.controls.isEmpty { return .control }
        return polling.app.catalog.messages.isEmpty ? .noLiveMessage : .nothing
    }

    /// Whether the whole response is shared with other clients.
    var isShared: Bool { decision.offers.allSatisfy { !ResolvedAction.isPersonal($0.message) } }

    private func rendered(_ offer: Offer) -> RenderedMessage {
        let message = offer.message
        return polling.call.worker.contexts.rendered(message, locale: targeting.requestedLocale?.text) {
            RenderedMessage(
                message, presentation: presentation(message), action: action(offer), presents: presents(message),
                theme: polling.app.manifest.theme)
        }
    }

    /// The recipe that a press opens.
    private func presents(_ message: Message) -> JSONValue {
        guard let slug = message.definition.presents, let content = polling.app.catalog.content(slug),
            let kind = content.kind
        else { return .null }
        let (app, name) = (PercentEncoding.queryValue(polling.app.name.text), PercentEncoding.queryValue(slug.text))
        var presents: JSONObject = [
            "kind": .string(kind.rawValue), "slug": .string(slug), "revision": .integer(Int64(content.revision)),
            "url": .string("/v1/apps/\(app)/\(kind.collection)/\(name)"),
        ]
        if !message.definition.showsConsent { presents["shows_consent"] = false }
        return .object(presents)
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
                    polling.app.name.text, polling.clientID.text, message.key.text, String(message.revision),
                    String(offer.displayCount),
                ])
        }
    }

    /// The usual time until the next poll, or the time until an order in time turns, if it turns earlier
    /// (docs/reference/events.md#order-in-time).
    private var nextPollSeconds: Int { Int(min(Int64(usualSeconds), secondsToTurn)) }

    private var secondsToTurn: Int64 {
        guard decision.nextTurn != .distantFuture else { return .max }
        return max(1, (decision.nextTurn.milliseconds - polling.poll.query.now.milliseconds).ceiled(by: 1000))
    }

    /// The time until which the response can be repeated. One that says in how many seconds a condition changes holds
    /// for a second.
    var validUntil: Timestamp {
        guard decision.nextTurn != .distantFuture else { return decision.validUntil }
        return min(decision.validUntil, decision.nextTurn.adding(seconds: 1 - Int64(nextPollSeconds)))
    }

    /// The setting, varied by client within 10 %: clients that started together drift apart
    /// (docs/reference/http-api.md#the-poll).
    private var usualSeconds: Int {
        let base = polling.call.worker.settings.nextPollSeconds
        let spread = base / 10
        guard spread > 0 else { return base }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in polling.clientID.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return base - spread + Int((hash ^ hash >> 32) % UInt64(2 * spread + 1))
    }
}

/// A message as bytes, split at the client's display count, with a digest of the other bytes.
final class RenderedMessage {
    let beforeCount: [UInt8]
    let afterCount: [UInt8]
    let digest: (UInt64, UInt64)
    /// Whether a cached response has counted this message's bytes (`ResponseCache`).
    private var isCounted = false

    /// The bytes, without the display count.
    var size: Int { beforeCount.count + afterCount.count }

    /// The size at the first call, then 0: many cached responses share one message.
    func uncountedSize() -> Int {
        defer { isCounted = true }
        return isCounted ? 0 : size
    }

    init(
        _ message: Message, presentation: Presentation, action: ResolvedAction?, presents: JSONValue = .null,
        theme: Theme? = nil
    ) {
        var output = Array("{\"key\":".utf8)
        let definition = message.definition
        output.append(json: .string(message.key))
        output.append(member: "surface", .string(definition.surface))
        output.append(member: "style", .string(definition.style))
        output.append(member: "revision", .integer(Int64(message.revision)))
        output.append(member: "priority", .integer(Int64(message.style.priority)))
        let cap: JSONValue =
            message.facts.pacing?.display == nil ? .integer(Int64(message.style.maxDisplayCount)) : .null
        output.append(member: "max_display_count", cap)
        output += ",\"display_count\":".utf8
        beforeCount = output
        output = []
        output.append(member: "experiment", message.facts.enrollment.map { .string($0.slug) } ?? .null)
        output.append(member: "branch", message.facts.enrollment.map { .string($0.branch) } ?? .null)
        output.append(member: "locale", .string(presentation.locale))
        output.append(member: "dir", presentation.isRightToLeft ? "rtl" : "ltr")
        output.append(member: "title", presentation.title.map(JSONValue.string) ?? .null)
        output.append(member: "text", .string(presentation.text))
        output.append(member: "button_label", presentation.buttonLabel.map(JSONValue.string) ?? .null)
        output.append(member: "action", action?.json ?? .null)
        output.append(member: "microsurvey", presentation.microsurvey?.json ?? .null)
        output.append(member: "presents", presents)
        if let theme { output.append(member: "theme", .object(theme.document)) }
        output.append(UInt8(ascii: "}"))
        afterCount = output
        let words = SHA256.hash(beforeCount + afterCount).words
        digest = (words.0, words.1)
    }
}

extension [UInt8] {
    mutating func append(json value: JSONValue) { value.write(to: &self) }

    /// Appends `,"name":value`. The names are constants, and need no escapes.
    mutating func append(member name: String, _ value: JSONValue) {
        self += ",\"".utf8
        self += name.utf8
        self += "\":".utf8
        append(json: value)
    }
}

extension ResolvedAction {
    var json: JSONValue {
        var members: JSONObject = ["name": name.map(JSONValue.string) ?? .null, "url": .string(url)]
        if let uuid { members["uuid"] = .string(uuid) }
        return .object(members)
    }
}

extension MicrosurveyPresentation {
    var json: JSONValue {
        [
            "question": .string(question), "icon": .string(icon),
            "options": .array(
                options.enumerated().map { ["id": .string(String($0.offset)), "text": .string($0.element)] }),
            "header": .string(header), "submit_label": .string(submitLabel), "privacy_label": .string(privacyLabel),
            "privacy_url": privacyURL.map(JSONValue.string) ?? .null,
            "confirmation": ["header": .string(confirmationHeader), "text": .string(confirmationText)],
        ]
    }
}

/// The response to a poll: messages as bytes with their display counts, and the time of the next poll
/// (docs/reference/http-api.md#the-poll). Its entity tag follows from the messages' digests. So no body is made for a
/// client that already has it.
struct PollResponse {
    typealias Item = (message: RenderedMessage, displayCount: Int)

    let items: [Item]
    let nextPollSeconds: Int
    /// The result of the poll's events; nil if it has none.
    let events: [UInt8]?
    let head: PollResponseHead

    init(
        _ items: [Item], nextPollSeconds: Int, events: [UInt8]? = nil, outcome: WorkerMeter.Poll = .nothing
    ) {
        self.items = items
        self.nextPollSeconds = nextPollSeconds
        self.events = events
        var tag = EntityTagBuilder()
        for (message, count) in items { tag.add(message.digest, count) }
        tag.add(nextPollSeconds)
        if let events { tag.add(bytes: events) }
        head = PollResponseHead(tag: tag, outcome: outcome)
    }

    func response(to request: Request, counting meter: WorkerMeter) -> Response {
        head.response(to: request, counting: meter) { body }
    }

    var body: [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(items.reduce(80 + (events?.count ?? 0)) { $0 + $1.message.size + 12 })
        output += "{\"messages\":[".utf8
        for (index, (message, count)) in items.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output += message.beforeCount
            JSONText.append(Int64(count), to: &output)
            output += message.afterCount
        }
        output += "],\"next_poll_seconds\":".utf8
        JSONText.append(Int64(nextPollSeconds), to: &output)
        if let events {
            output += ",\"events\":".utf8
            output += events
        }
        output.append(UInt8(ascii: "}"))
        return output
    }
}

/// Mixes the parts of a body into an entity tag. With 128 bits, two bodies never have the same tag by chance.
struct EntityTagBuilder: BitwiseCopyable {
    private var state: (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F)

    mutating func add(_ digest: (UInt64, UInt64), _ count: Int) {
        mix(digest.0)
        mix(digest.1)
        mix(UInt64(truncatingIfNeeded: count))
    }

    mutating func add(_ number: Int) { mix(UInt64(truncatingIfNeeded: number)) }

    mutating func add(bytes: [UInt8]) { for byte in bytes { mix(UInt64(byte)) } }

    /// Appends the tag in quotes, as 32 hex digits.
    func append(to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for word in [state.0, state.1] {
            output.append(hexadecimal: UInt32(truncatingIfNeeded: word >> 32))
            output.append(hexadecimal: UInt32(truncatingIfNeeded: word))
        }
        output.append(UInt8(ascii: "\""))
    }

    /// The finalizer of splitmix64, applied to each half with a different word.
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

/// The response to a client that already has the body. It has no references, so this response does not access the
/// messages, which are rarely in the processor's cache.
struct PollResponseHead: BitwiseCopyable {
    let tag: EntityTagBuilder
    /// The outcome, for the meter.
    let outcome: WorkerMeter.Poll

    private static let cacheControl = Array("\r\nCache-Control: private, no-cache\r\n".utf8)
    private static let contentType = Array("Content-Type: application/json\r\n".utf8)

    func response(to request: Request, counting meter: WorkerMeter, body: () -> [UInt8]) -> Response {
        var headers: [UInt8] = []
        headers.reserveCapacity(160)
        headers += "ETag: ".utf8
        let start = headers.count
        tag.append(to: &headers)
        let end = headers.count
        headers += Self.cacheControl
        if request.method == .get || request.method == .head, let known = request.header(.ifNoneMatch),
            EntityTag.matches(ifNoneMatch: known, etag: headers[start..<end])
        {
            meter.count(.unchanged)
            return Response(304, headers: headers)
        }
        headers += Self.contentType
        meter.count(outcome)
        return Response(200, headers: headers, body: .bytes(body()))
    }
}
