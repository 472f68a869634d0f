import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Testing

/// The fields of a ping about its client and its events.
@Suite struct GleanPingTests {
    private typealias Lines = GleanLines

    private func information(of client: Identifier, app: Identifier = "app", channel: String? = nil) throws -> JSONValue
    {
        let ping = try #require(try Lines.of([Lines.record(client: client)], app: app, channel: channel).first)
        return ping[member: "client_info"]
    }

    private func extra(_ extra: JSONObject) throws -> JSONValue {
        let ping = try #require(try Lines.of([Lines.record(extra: extra)]).first)
        return ping[member: "events"].array?.first?[member: "extra"] ?? .null
    }

    @Test func `What the daemon does not know is said to be unknown`() throws {
        let known = try information(of: "c", channel: "release")
        #expect(
            known == [
                "client_id": "ba1a4494-0e0c-8fc0-a90b-ebaa3f45877d", "app_build": "Unknown",
                "app_display_version": "Unknown", "architecture": "Unknown", "os": "Unknown", "os_version": "Unknown",
                "telemetry_sdk_build": "Unknown", "first_run_date": "1970-01-01+00:00", "app_channel": "release",
            ])
        #expect(try information(of: "c")[member: "app_channel"] == .null)
    }

    @Test(arguments: [
        "5f0c1a52-7f4e-4c0e-9d3c-0d7a3c1f0b11", "5F0C1A52-7F4E-4C0E-9D3C-0D7A3C1F0B11",
        "00000000-0000-0000-0000-000000000000",
    ])
    func `A UUID stays as it is`(_ client: Identifier) throws {
        #expect(try information(of: client)[member: "client_id"] == .string(client))
    }

    @Test(arguments: [
        "5f0c1a52-7f4e-4c0e-9d3c-0d7a3c1f0b1", "5f0c1a52-7f4e-4c0e-9d3c-0d7a3c1f0b111",
        "5f0c1a527f4e4c0e9d3c0d7a3c1f0b11", "{5f0c1a52-7f4e-4c0e-9d3c-0d7a3c1f0b11}",
        "5f0c1a52-7f4e-4c0e-9d3c-0d7a3c1f0b1g", "5f0c1a52-7f4e-4c0e-9d3c-0d7a3c1f0bé",
        "5f0c1a52-7f4e-4c0e-9d3c0-d7a3c1f0b11", "\"\\\u{2028}", "c", " ",
    ])
    func `Anything else becomes a UUID of version 8`(_ client: Identifier) throws {
        let id = try #require(try information(of: client)[member: "client_id"].string)
        let pattern = /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        #expect(id.wholeMatch(of: pattern) != nil)
        #expect(client != id)
        #expect(try information(of: client)[member: "client_id"] == .string(id))
    }

    /// Another program computed the expected values from the rule.
    @Test func `The UUID is that of app and client`() throws {
        let other = try information(of: "Zoë 🦊")[member: "client_id"]
        #expect(other == "1f0bdcac-8ef9-8f88-9c90-727086b38404")
        #expect(try information(of: "pc", app: "ap")[member: "client_id"] == "d8f7b35c-c77e-8c25-83a7-1b7879ba86d8")
    }

    @Test func `Extras are texts, nulls are left out`() throws {
        let extra = try extra([
            "text": "a", "empty": "", "yes": true, "no": false, "count": 42, "share": 42.0, "none": nil,
            "list": [1, nil, "é\""], "object": ["b": 1, "a": [:]],
        ])
        #expect(
            extra == [
                "text": "a", "empty": "", "yes": "true", "no": "false", "count": "42", "share": "42.0",
                "list": "[1,null,\"é\\\"\"]", "object.b": "1",
            ])
        #expect(try self.extra([:]) == .null)
        #expect(try self.extra(["none": nil]) == .null)
    }

    @Test func `Answers within answers are extras of their own`() throws {
        let long = String(repeating: "é", count: 120)
        let extra = try extra([
            "slug": "s",
            "answers": [
                "q1": "a", "q2": ["x", "y"], "height": ["Feet": "5", "Inches": "1"], "none": nil,
                "long": .array(Array(repeating: .string(long), count: 9)), "deep": ["a": ["b": ["c": true]]],
                "a_name_of_thirty_two_characters_": "whole", "a_name_of_thirty_two_characters_2": "cut away",
            ], "answers.q1": "comes later",
        ])
        #expect(
            extra == [
                "slug": "s", "answers.q1": "a", "answers.q2": #"["x","y"]"#, "answers.height.Feet": "5",
                "answers.height.Inches": "1", "answers.long": .string(#"["\#(long)","\#(long)"]"#),
                "answers.deep.a.b.c": "true", "answers.a_name_of_thirty_two_characters_": "whole",
            ])
    }

    @Test(arguments: [
        ("a", 1, 500), ("é", 2, 250), ("日", 3, 166), ("🦊", 4, 125), ("\u{0}", 1, 500), ("\"", 1, 500),
    ])
    func `A value is cut at 500 bytes, between characters`(_ character: String, _ width: Int, _ kept: Int) throws {
        #expect(character.utf8.count == width)
        let cut = try extra(["v": .string(String(repeating: character, count: 1000))])
        #expect(cut == ["v": .string(String(repeating: character, count: kept))])
        // One more byte at the start moves the cut into a character.
        let moved = try extra(["v": .string("x" + String(repeating: character, count: 1000))])
        #expect(moved == ["v": .string("x" + String(repeating: character, count: (499 / width)))])
        let whole = String(repeating: character, count: kept)
        #expect(try extra(["v": .string(whole)]) == ["v": .string(whole)])
    }

    @Test func `A character of many marks is cut between them`() throws {
        let marks = "e" + String(repeating: "\u{301}", count: 400)
        #expect(try extra(["v": .string(marks)]) == ["v": .string("e" + String(repeating: "\u{301}", count: 249))])
    }

    @Test func `A key is cut at 40 characters, and the first of two keeps its value`() throws {
        let key = String(repeating: "🦊", count: 40)
        #expect(try extra([key + "a": "1", key + "b": "2", key: "3"]) == .object([key: "1"]))
        #expect(try extra([key: "3", key + "a": "1"]) == .object([key: "3"]))
        #expect(try extra([key + "a": nil, key + "b": "2"]) == .object([key: "2"]))
    }

    @Test func `Slugs and branches are cut at 100 characters`() throws {
        let long = String(repeating: "é", count: 150)
        let cut = String(repeating: "é", count: 100)
        let pings = try Lines.of([
            Lines.record("0", in: "\(long)1", Identifier(long)), Lines.record("1", in: "\(long)2", Identifier(long)),
            Lines.record("2", in: "\(long)2", "b"),
        ])
        // Slugs that differ only behind the cut are the same for the pipeline; their branches are in separate pings.
        #expect(pings.map(\.names) == [["0", "1"], ["2"]])
        let experiments = pings.map { $0[member: "ping_info"][member: "experiments"] }
        let expected: [JSONObject] = [[cut: ["branch": .string(cut)]], [cut: ["branch": "b"]]]
        #expect(experiments == expected.map { .object($0) })
    }

    @Test func `Categories and names may be any text`() throws {
        let name = String(repeating: "Ünü sual.\"\\", count: 12)
        let ping = try #require(try Lines.of([Lines.record(name, category: "behavior")]).first)
        #expect(ping[member: "events"] == [["timestamp": 0, "category": "behavior", "name": .string(name)]])
    }

    @Test func `The locale is that of the last answer`() throws {
        func answer(_ locale: JSONValue, seconds: Double) -> TelemetryRecord {
            Lines.record("submit_button_tapped", seconds: seconds, category: "microsurvey", extra: ["locale": locale])
        }
        func locale(_ records: [TelemetryRecord]) throws -> JSONValue {
            try #require(try Lines.of(records).first)[member: "client_info"][member: "locale"]
        }
        #expect(try locale([answer("de", seconds: 0), answer("fr", seconds: 1), Lines.record()]) == "fr")
        #expect(try locale([Lines.record(extra: ["locale": "de"])]) == .null)
        #expect(try locale([answer(42, seconds: 0)]) == .null)
        #expect(try locale([answer("", seconds: 0)]) == .null)
    }

    @Test(
        arguments: [
            (.min, "0000-01-01T00:00+00:00"), (-62_167_219_200_001, "0000-01-01T00:00+00:00"),
            (-1, "1969-12-31T23:59+00:00"), (59_999, "1970-01-01T00:00+00:00"),
            (253_402_300_799_999, "9999-12-31T23:59+00:00"), (.max, "9999-12-31T23:59+00:00"),
        ] as [(Int64, String)])
    func `A time is its minute, in the years that the form can write`(_ time: Int64, _ written: String) throws {
        let record = TelemetryRecord(
            at: Timestamp(milliseconds: time), clientID: "c", category: "m", name: "n", extra: [:])
        let ping = try #require(try Lines.of([record]).first)
        #expect(ping[member: "ping_info"][member: "start_time"] == .string(written))
        #expect(ping[member: "ping_info"][member: "end_time"] == .string(written))
    }

    @Test func `The ends of time do not trap`() throws {
        let records = [Int64.max, .min, 0].map {
            TelemetryRecord(at: Timestamp(milliseconds: $0), clientID: "c", category: "m", name: "n", extra: [:])
        }
        let ping = try #require(try Lines.of(records).first)
        let stamps = ping[member: "events"].array?.map { $0[member: "timestamp"] }
        #expect(stamps == [0, .integer(.max), .integer(.max)])
    }
}
