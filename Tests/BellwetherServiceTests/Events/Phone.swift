import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// A phone that sends pings, and the stored data of it.
struct Phone {
    var scene: Scene
    var clientID: Identifier? = "phone"
    private(set) var state = ClientState()
    private(set) var log: [TelemetryRecord] = []
    private(set) var responses: [SurveyResponse] = []
    private(set) var changes: [ClientChange<EventTally>] = []
    private var eventIDs: Set<String> = []
    private var sent = 0

    init(scene: Scene) { self.scene = scene }

    func entry(_ key: String) -> LedgerEntry { state.ledger[Identifier(key)] }

    @discardableResult
    mutating func send(
        _ events: [JSONValue], id: String? = nil, locale: String? = nil, information: JSONObject = [:]
    ) throws -> EventTally {
        sent += 1
        var client: JSONObject = [:]
        if let clientID { client["client_id"] = .string(clientID) }
        if let locale { client["locale"] = .string(locale) }
        let ping: JSONValue = [
            "ping_info": .object(information), "client_info": .object(client), "events": .array(events),
        ]
        let number = String(sent + 100_000_000_000)
        let address = GleanAddress(
            applicationID: "a", ping: "events", version: "1",
            documentID: Identifier(id ?? "00000000-0000-4000-8000-\(number)"))
        let limits = GleanLimits(json: .standard, events: 10_000, times: scene.now.adding(seconds: -60)...scene.now)
        let submission = GleanSubmission(address, body: ping.encoded[...], limits: limits)
        var made = 0
        let change = RecordPing.change(submission, in: try #require(scene.snapshot), now: scene.now) {
            defer { made += 1 }
            return "id-\(made)"
        }
        changes.append(change)
        return try apply(change)
    }

    private mutating func apply(_ change: ClientChange<EventTally>) throws -> EventTally {
        let isDuplicate = change.eventIDs.map { id in id.map { !eventIDs.insert($0.text).inserted } ?? false }
        let known = responses
        let outcome = change.apply(
            &state, ChangeInput(isDuplicate: isDuplicate) { message in known.first { $0.message == message } })
        log += outcome.records
        responses += outcome.responses
        return outcome.result
    }
}
