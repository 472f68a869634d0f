import BellwetherBase
import BellwetherJSON
import Samples
import TestSupport
import Testing

@testable import BellwetherCore

/// The values that are read from a ping, and the stored form of pings that cannot be read
/// (docs/reference/events.md#submitted-pings).
@Suite struct GleanSubmissionTests {
    private static let documentID = "2f8c7b1e-90ad-4c3f-8b2d-0123456789ab"
    private static let now = Sample.now
    private static let oldest = now.adding(seconds: -90 * 86_400)

    private func read(_ body: [UInt8], ping: String = "events", depth: Int = 64, events: Int = 100) -> GleanSubmission {
        let address = GleanAddress(
            applicationID: "org.example", ping: ping, version: "1", documentID: Identifier(Self.documentID))
        let limits = GleanLimits(
            json: JSONLimits(depth: depth), events: events, times: Self.oldest...Self.now)
        return GleanSubmission(address, body: body[...], limits: limits)
    }

    private func read(_ ping: JSONValue, as name: String = "events") -> GleanSubmission {
        read(ping.encoded, ping: name)
    }

    private func events(_ events: JSONValue, start: JSONValue = "2026-03-10T11:00Z") -> GleanSubmission {
        read(["ping_info": ["start_time": start], "client_info": ["client_id": "c"], "events": events])
    }

    /// The stored form of a whole ping.
    private func kept(_ key: String, _ value: JSONValue) -> JSONObject {
        ["document_id": .string(Self.documentID), "application_id": "org.example", "version": "1", key: value]
    }

    @Test func eventsAreAsSent() {
        let ping = events([
            ["timestamp": 0, "category": "messaging", "name": "shown", "extra": ["message_key": "m", "n": 1]],
            ["timestamp": 90_500, "category": "other.thing", "name": "happened"],
            ["timestamp": 90_500, "category": "c", "name": "n", "extra": nil, "session": ["id": 1]],
        ])
        #expect(
            ping.records == [
                SubmittedEvent(
                    category: "messaging", name: "shown", extra: ["message_key": "m", "n": 1],
                    at: Self.now.adding(seconds: -3600)),
                SubmittedEvent(
                    category: "other.thing", name: "happened", extra: [:],
                    at: Self.now.adding(milliseconds: -3_600_000 + 90_500)),
                SubmittedEvent(
                    category: "c", name: "n", extra: [:], at: Self.now.adding(milliseconds: -3_600_000 + 90_500)),
            ])
        #expect(ping.clientID == "c")
    }

    @Test(
        arguments: [
            ("2026-03-10T11:00Z", -3600), ("2026-03-10T13:00+02:00", -3600), ("2026-03-10T11:00:30.250Z", -3570),
            ("2026-03-10T09-02:00", -3600), ("2026-03-10T12:01Z", 0), ("2999-01-01T00:00Z", 0),
            ("1999-01-01T00:00Z", -90 * 86_400), ("2026-03-10", 0), ("", 0), ("2026-03-10T11:00", 0),
            ("2026-13-10T11:00Z", 0), (7, 0), (nil, 0),
        ] as [(JSONValue, Int64)])
    func times(_ start: JSONValue, _ seconds: Int64) {
        let at = events([["timestamp": 0, "category": "c", "name": "n"]], start: start).records.first?.at
        #expect(at?.seconds == Self.now.adding(seconds: seconds).seconds)
    }

    @Test(
        arguments: [
            (.integer(.max), 0), (-5, -3600), ("1000", -3600), (1.5, -3600), (nil, -3600), (1000, -3599),
        ] as [(JSONValue, Int64)])
    func offsets(_ timestamp: JSONValue, _ seconds: Int64) {
        let at = events([["timestamp": timestamp, "category": "c", "name": "n"]]).records.first?.at
        #expect(at == Self.now.adding(seconds: seconds))
    }

    @Test func whatIsNoEventIsKeptBesideTheOthers() {
        let keys = JSONObject((0...100).map { (key: "k\($0)", value: "v") })
        let long = JSONValue.string(String(repeating: "n", count: 129))
        let bad: [JSONValue] = [
            1, nil, [], [:], ["category": "c"], ["category": 1, "name": "n"], ["category": "", "name": "n"],
            ["category": "c", "name": long], ["category": "c", "name": "n\u{0}"],
            ["category": "c", "name": "n", "extra": "x"], ["category": "c", "name": "n", "extra": .object(keys)],
            ["category": "c", "name": "n", "extra": .object([long.string ?? "": 1])],
        ]
        let ping = events(.array([["category": "c", "name": "n"]] + bad))
        #expect(ping.records.count == 2)
        #expect(ping.records.first?.category == "c")
        let rest: JSONValue = [
            "ping_info": ["start_time": "2026-03-10T11:00Z"], "client_info": ["client_id": "c"], "events": .array(bad),
        ]
        #expect(
            ping.records.last
                == SubmittedEvent(category: "glean", name: "events", extra: kept("ping", rest), at: Self.now))
    }

    @Test func metricsOfAnEventsPingAreKept() {
        let ping = read(["events": [["category": "c", "name": "n"]], "metrics": ["counter": ["a": 1]]])
        #expect(ping.records.map(\.category) == ["c", "glean"])
        #expect(ping.records.last?.extra["ping"] == ["metrics": ["counter": ["a": 1]]])
    }

    @Test(
        arguments: [
            [:], ["events": []], ["events": "x"], ["events": ["a": 1]], ["ping_info": 3, "client_info": []],
            ["events": nil], ["client_info": ["client_id": ["x"]]],
        ] as [JSONValue])
    func anEventsPingWithoutEventsIsKeptWhole(_ ping: JSONValue) throws {
        let submission = read(ping)
        #expect(submission.records.count == 1 && submission.clientID == nil)
        let record = try #require(submission.records.first)
        #expect(record.category == "glean" && record.name == "events" && record.effect == nil)
        #expect(record.extra["ping"]?.object != nil)
    }

    @Test func moreEventsThanAreReadAreKeptWhole() {
        let ping: JSONValue = ["events": .array(Array(repeating: ["category": "c", "name": "n"], count: 4))]
        #expect(read(ping.encoded, events: 4).records.count == 4)
        let whole = read(ping.encoded, events: 3).records
        #expect(whole.map(\.category) == ["glean"] && whole.first?.extra["ping"] == ping)
    }

    @Test func otherPingsAreKeptWhole() {
        let ping: JSONValue = [
            "ping_info": ["end_time": "2026-03-10T11:30+00:00"],
            "client_info": ["client_id": "c", "locale": "de-AT"],
            "events": [["category": "messaging", "name": "shown"]], "metrics": ["string": [:]],
        ]
        let submission = read(ping, as: "baseline")
        #expect(
            submission.records == [
                SubmittedEvent(
                    category: "glean", name: "baseline", extra: kept("ping", ping),
                    at: Self.now.adding(seconds: -1800))
            ])
        #expect(submission.clientID == "c" && submission.locale == LanguageTag("de-AT"))
    }

    @Test(arguments: ["", "x", "[1]", "3", "{\"a\":1,\"a\":2}", "{\"a\":1e999}", "\u{FEFF}{}", "{} x", "\0"])
    func textIsKeptAsText(_ text: String) {
        let submission = read(Array(text.utf8), ping: "custom")
        #expect(
            submission.records == [
                SubmittedEvent(
                    category: "glean", name: "custom", extra: kept("text", .string(text)), at: Self.now)
            ])
        #expect(submission.clientID == nil)
    }

    @Test func moreJSONThanIsReadIsKeptAsText() {
        let text = "{\"a\":" + String(repeating: "[", count: 70) + String(repeating: "]", count: 70) + "}"
        #expect(read(Array(text.utf8)).records.first?.extra["text"] == .string(text))
        #expect(read(Array(text.utf8), depth: 100).records.first?.extra["ping"] != nil)
        let deep = String(repeating: "[", count: 200_000)
        #expect(read(Array(deep.utf8), depth: 512).records.first?.extra["text"] == .string(deep))
    }

    @Test func bytesAreKeptInBase64() {
        #expect(read([0xFF, 0, 1]).records.first?.extra == kept("base64", "/wAB"))
    }

    @Test(arguments: ["", "a\nb", String(repeating: "x", count: 129)])
    func aClientIDIsAnID(_ id: String) {
        #expect(read(["client_info": ["client_id": .string(id)]]).clientID == nil)
    }

    @Test func branchesAreThePhones() {
        let ping = read([
            "ping_info": ["experiments": ["e": ["branch": "b", "extra": [:]], "f": ["branch": 1], "g": "b"]]
        ])
        #expect(ping.enrollment(in: "e") == EnrolledBranch(slug: "e", branch: "b"))
        for slug in ["f", "g", "h", ""] { #expect(ping.enrollment(in: Identifier(slug)) == nil) }
        #expect(read(["ping_info": ["experiments": []]]).enrollment(in: "e") == nil)
    }

    @Test(
        arguments: [
            ("messaging", "shown", .displayed), ("messaging", "message_shown", .displayed),
            ("messaging", "clicked", .clicked), ("messaging", "message_clicked", .clicked),
            ("messaging", "dismissed", .dismissed), ("messaging", "message_dismissed", .dismissed),
            ("messaging", "expired", .expired), ("messaging", "message_expired", .expired),
            ("messaging", "malformed", nil), ("microsurvey", "submit_button_tapped", .answered("Yes")),
            ("microsurvey", "dismiss_button_tapped", nil), ("microsurvey", "shown", nil), ("other", "shown", nil),
            ("microsurvey", "confirmation_shown", nil), ("nimbus_events", "exposure", nil),
        ] as [(String, String, SubmittedEffect?)])
    func effects(_ category: String, _ name: String, _ effect: SubmittedEffect?) {
        let event = SubmittedEvent(
            category: Identifier(category), name: Identifier(name),
            extra: ["message_key": "m", "survey_id": "s", "user_selection": "Yes"], at: Self.now)
        #expect(event.effect == effect)
        #expect(event.messageKey == ["messaging": "m", "microsurvey": "s"][category])
        let bare = SubmittedEvent(
            category: Identifier(category), name: Identifier(name), extra: ["message_key": 1], at: Self.now)
        #expect(bare.messageKey == nil)
    }

    @Test(arguments: 0..<50)
    func anythingAtAllIsKept(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var ping: JSONObject = [:]
        for key in ["ping_info", "client_info", "events", "metrics", "x"] where Bool.random(using: &random) {
            ping[key] = RandomJSON.value(depth: 2, using: &random)
        }
        var submission = read(.object(ping))
        #expect(!submission.records.isEmpty)
        ping["events"] = .array(
            (0..<20).map { _ in
                [
                    "category": RandomJSON.value(depth: 2, using: &random),
                    "name": RandomJSON.value(depth: 2, using: &random),
                    "extra": RandomJSON.value(depth: 2, using: &random),
                    "timestamp": RandomJSON.value(depth: 2, using: &random),
                ]
            })
        submission = read(.object(ping))
        #expect(!submission.records.isEmpty)
        #expect(submission.records.allSatisfy { $0.at >= Self.oldest && $0.at <= Self.now })
        #expect(submission.records.allSatisfy { $0.category.text.isIdentifier && $0.name.text.isIdentifier })
        var bytes = JSONValue.object(ping).encoded
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        #expect(!read(bytes).records.isEmpty)
    }
}
