import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// One app and one of its clients. It publishes, polls, reports and answers. The changes are applied one after another,
/// as in a store.
struct Scene {
    static let app: Identifier = "sample"
    static let start = Timestamp(rfc3339: "2026-03-10T12:00:00Z") ?? Timestamp(seconds: 0)

    private(set) var catalog = PublishedCatalog()
    var clientID: Identifier = "client"
    var now = start
    var policy = EventPolicy()
    private(set) var state = ClientState()
    private(set) var log: [TelemetryRecord] = []
    private(set) var responses: [SurveyResponse] = []
    private var eventIDs: Set<String> = []

    /// Publishes a manifest and recipes; a refusal is a test failure.
    init(manifest: JSONValue = SampleManifest.with(), recipes: KeyValuePairs<String, JSONValue> = [:]) {
        publish(.putManifest(manifest.encoded))
        for (slug, recipe) in recipes { publish(.putRecipe(slug: Identifier(slug), recipe.encoded, asDraft: false)) }
    }

    init(recipe: JSONValue, manifest: JSONValue = SampleManifest.with()) {
        self.init(manifest: manifest, recipes: ["e": recipe])
    }

    var snapshot: AppSnapshot? { catalog.snapshots[Self.app] }

    @discardableResult
    mutating func publish(_ change: PublishRequest.Change) -> PublishReceipt? {
        var editor = CatalogEditor(catalog, source: .api, now: now)
        do throws(PublishRefusal) {
            let outcome = try editor.apply(PublishRequest(app: Self.app, change: change))
            catalog = editor.catalog
            if case .stored(let receipt) = outcome { return receipt }
        } catch {
            Issue.record("refused: \(error.sentences)")
        }
        return nil
    }

    mutating func put(_ slug: Identifier, _ recipe: JSONValue) {
        publish(.putRecipe(slug: slug, recipe.encoded, asDraft: false))
    }

    /// Polls, and makes the effects durable as the daemon does.
    mutating func poll(
        _ surfaces: [Identifier], attributes: [String: JSONValue] = [:], events: [JSONValue]? = nil
    ) throws -> (offers: [Offer], tally: EventTally?) {
        let poll = try question(surfaces, attributes)
        let resolved = events.map { resolve($0).resolved }
        let quick = poll.app.compiledApp.decide(poll.query, state: state)
        if events == nil, quick.effects.isEmpty { return (quick.offers, nil) }
        let delivery = apply(DeliverMessages.change(poll, events: resolved, policy: policy))
        return (delivery.decision.offers, delivery.tally)
    }

    /// The key of the message that a surface shows.
    mutating func next(_ surface: Identifier, attributes: [String: JSONValue] = [:]) throws -> Identifier? {
        try poll([surface], attributes: attributes).offers.first?.message.key
    }

    func question(_ surfaces: [Identifier], _ attributes: [String: JSONValue] = [:]) throws -> Poll {
        let app = try #require(snapshot)
        let context = TargetingContext(
            requestedLocale: nil, defaultLocale: app.manifest.defaultLocale, attributes: attributes)
        return Poll(app: app, client: client, surfaces: surfaces, context: context, now: now)
    }

    @discardableResult
    mutating func report(_ events: JSONValue...) throws -> EventTally {
        let (resolved, rejected) = resolve(events)
        var tally = apply(
            try RecordEvents(in: #require(snapshot), policy: policy, now: now).change(client: client, events: resolved))
        var others = EventTally()
        others.rejected = rejected
        tally.add(others)
        return tally
    }

    @discardableResult
    mutating func report(message action: String, _ key: String) throws -> EventTally {
        try report(["type": "message", "action": .string(action), "message": .string(key)])
    }

    mutating func answer(
        _ message: String, _ option: String, revision: Int? = nil, locale: String? = nil, requestID: Identifier? = nil
    ) throws -> ResponseOutcome {
        let answer = SubmitResponse.Answer(
            client: client, message: Identifier(message), option: Identifier(option), revision: revision,
            locale: locale.flatMap { LanguageTag($0) },
            requestID: requestID)
        let change = try SubmitResponse.change(
            answer, in: #require(snapshot), id: "response-\(responses.count)", now: now)
        return apply(change)
    }

    mutating func participate(_ participation: Participation) {
        guard let app = snapshot else { return }
        apply(ChangeParticipation.change(participation, of: client, in: app, now: now))
    }

    private var client: ClientReference { ClientReference(app: Self.app, id: clientID) }

    private func resolve(_ events: [JSONValue]) -> (resolved: [ResolvedEvent], rejected: [EventRejection]) {
        var result: (resolved: [ResolvedEvent], rejected: [EventRejection]) = ([], [])
        guard let app = snapshot else { return result }
        for (index, event) in events.enumerated() {
            let findings = Findings()
            let rejection: EventRejection
            if let read = ClientEvent.read(JSONReader(event, findings: findings)) {
                switch read.resolve(index: index, in: app, policy: policy, now: now) {
                case .success(let event):
                    result.resolved.append(event)
                    continue
                case .failure(let refused): rejection = refused.rejection
                }
            } else {
                let code = findings.faults.first?.code ?? "none"
                rejection = EventRejection(index: index, code: code, message: "")
            }
            if let id = ClientEvent.id(of: event) {
                result.resolved.append(ResolvedEvent(refused: rejection, id: id, now: now))
            } else {
                result.rejected.append(rejection)
            }
        }
        return result
    }

    private mutating func apply<Value>(_ change: ClientChange<Value>) -> Value {
        let isDuplicate = change.eventIDs.map { id in id.map { !eventIDs.insert($0.text).inserted } ?? false }
        let known = responses
        let outcome = change.apply(
            &state,
            ChangeInput(isDuplicate: isDuplicate) { message in known.first { $0.message == message } })
        for id in outcome.releasedEventIDs.compactMap({ change.eventIDs[$0] }) { eventIDs.remove(id.text) }
        log += outcome.records
        responses += outcome.responses
        return outcome.result
    }
}

struct SceneError: Error {}

extension TelemetryRecord {
    /// The record in short form: `shown(a)`, `exposure(e)`.
    var phrase: String {
        let subject = extra["message_key"] ?? extra["part_id"] ?? extra["experiment"] ?? extra["survey_id"]
        return "\(name)(\(subject?.string ?? ""))"
    }
}

extension AppSnapshot {
    /// The facts of a message for a client that is in no branch.
    func facts(of key: String) -> MessageFacts? { ClientMessages(self, ClientState()).facts(of: Identifier(key)) }
}
