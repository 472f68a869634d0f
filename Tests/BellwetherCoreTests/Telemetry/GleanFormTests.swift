import BellwetherBase
import BellwetherCore
import BellwetherJSON
import TestSupport
import Testing

/// The ping of any record has the form of the public schema glean/1.
@Suite struct GleanFormTests {
    @Test(arguments: 0..<20)
    func `Random records make valid pings, and none is lost`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let records = (0..<300).map { _ in record(&generator) }
        let pings = try GleanLines.of(records, channel: RandomJSON.string(using: &generator))
        for ping in pings { expectForm(ping) }
        let sent = records.map { "\($0.category)/\($0.name)" }
        let events = pings.flatMap { $0[member: "events"].array ?? [] }
        let received = events.map { "\($0[member: "category"].string ?? "?")/\($0[member: "name"].string ?? "?")" }
        #expect(received.sorted() == sent.sorted())
    }

    private func record(_ generator: inout SeededGenerator) -> TelemetryRecord {
        func text() -> String {
            let text = RandomJSON.string(using: &generator)
            return String(repeating: text, count: Int.random(in: 1...60, using: &generator))
        }
        var extra = JSONObject()
        for _ in 0..<Int.random(in: 0...5, using: &generator) {
            extra[text()] = Bool.random(using: &generator) ? .string(text()) : RandomJSON.value(using: &generator)
        }
        return TelemetryRecord(
            at: Timestamp(milliseconds: RandomJSON.integer(using: &generator)),
            clientID: Bool.random(using: &generator) ? "c" : Identifier(text()), category: "x\(text())",
            name: Identifier(text()), extra: extra,
            experiment: Int.random(in: 0...3, using: &generator) == 0 ? Identifier(text()) : nil,
            branch: Int.random(in: 0...3, using: &generator) > 0 ? Identifier(text()) : nil)
    }

    /// The schema's rules for the members that the daemon's pings have.
    private func expectForm(_ ping: JSONValue) {
        #expect(ping.object?.keys == ["ping_info", "client_info", "events"])
        let information = ping[member: "ping_info"]
        let time = /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}\+00:00/
        for key in ["start_time", "end_time"] {
            #expect(information[member: key].string?.wholeMatch(of: time) != nil)
        }
        #expect(information[member: "seq"].integer != nil)
        #expect((information[member: "reason"].string?.unicodeScalars.count ?? 0) <= 30)
        for (slug, experiment) in information[member: "experiments"].object ?? [:] {
            #expect(slug.unicodeScalars.count <= 100)
            #expect(experiment.object?.keys == ["branch"])
            #expect(experiment[member: "branch"].string.map { $0.unicodeScalars.count <= 100 } == true)
        }
        let client = ping[member: "client_info"].object ?? [:]
        #expect(client.allSatisfy { $0.value.string != nil })
        let uuid = /[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{12}/
        #expect(client["client_id"]?.string?.wholeMatch(of: uuid) != nil)
        let events = ping[member: "events"].array ?? []
        #expect((1...500).contains(events.count))
        for event in events { expectEventForm(event) }
    }

    private func expectEventForm(_ event: JSONValue) {
        let members = event.object?.keys ?? []
        #expect(Set(members).isSubset(of: ["timestamp", "category", "name", "extra"]))
        #expect(event[member: "timestamp"].integer.map { $0 >= 0 } == true)
        #expect(event[member: "category"].string != nil && event[member: "name"].string != nil)
        for (key, value) in event[member: "extra"].object ?? [:] {
            #expect(key.unicodeScalars.count <= 40)
            #expect(value.string.map { $0.utf8.count <= 500 } == true)
        }
    }
}
