import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// Faults of one event: the response has the reason, and the other events are stored
/// (docs/reference/events.md#rejected-events).
@Suite struct EventRejectionTests {
    private static let ahead = JSONValue.string(Date(timeIntervalSinceNow: 3600).ISO8601Format())
    private static let longAgo = JSONValue.string(Date(timeIntervalSinceNow: -91 * 86_400).ISO8601Format())

    private static let cases: [(JSONValue, String)] = [
        (Event.message("displayed", "nobody-published-this"), "unknown_message"),
        (Event.survey("shown", "nobody-published-this"), "unknown_message"),
        (Event.message("displayed", "control"), "not_displayable"), (Event.survey("shown", "card"), "not_microsurvey"),
        (Event.behavior("visit", ["at": ahead]), "future"), (Event.behavior("visit", ["at": longAgo]), "too_old"),
        (Event.behavior("visit", ["at": "yesterday"]), "time"), (Event.behavior("visit", ["at": 7]), "type"),
        (Event.behavior("visit", ["count": 0]), "range"), (Event.behavior("visit", ["count": 1_000_001]), "range"),
        (Event.behavior("visit", ["count": 1.5]), "type"), (Event.behavior("visit", ["id": ""]), "length"),
        (Event.behavior("visit", ["id": .string(String(repeating: "i", count: 129))]), "length"),
        (Event.behavior(""), "length"), (["type": "behavior"], "required"), (["type": "nonsense"], "choice"),
        ([:], "required"), (["type": 7], "type"), ("no object", "type"), (nil, "type"), ([1, 2], "type"),
        (Event.message("stared_at", "card"), "choice"), (["type": "message", "action": "displayed"], "required"),
        (Event.survey("submit_button_tapped", "survey"), "choice"),
        (["type": "feature", "action": "hidden"], "choice"),
    ]

    @Test(arguments: cases.indices)
    func `A bad event is refused, the others are kept`(_ index: Int) throws {
        let (event, code) = Self.cases[index]
        let app = try TestApp()
        try app.publish("a", Sample.message("card"))
        try app.publish("b", Sample.survey())
        try app.publish("x", Sample.message("control", ["is-control": true, "experiment": "{experiment}"]))
        let receipt = try app.record("c", Event.behavior("before"), event, Event.behavior("after"))
        #expect(receipt["accepted"] == 2)
        let rejected = receipt["rejected"].array ?? []
        #expect(rejected.map { $0["index"] } == [1])
        #expect(rejected.first?["code"].string == code)
        #expect(rejected.first?["message"].string?.isEmpty == false)
    }

    @Test func `Five minutes of a client's clock are forgiven both ways`() throws {
        let app = try TestApp()
        let times = [-280.0, 280].map { JSONValue.string(Date(timeIntervalSinceNow: $0).ISO8601Format()) }
        let receipt = try app.record("c", Event.behavior("a", ["at": times[0]]), Event.behavior("a", ["at": times[1]]))
        #expect(receipt == ["accepted": 2, "duplicates": 0, "rejected": []])
    }

    @Test func `All that is refused is told, in order, and creates nothing`() throws {
        let app = try TestApp()
        let receipt = try app.record("c", ["type": "a"], Event.message("clicked", "x"), [:])
        #expect(receipt["accepted"] == 0)
        #expect(receipt["rejected"].array?.map { $0["index"] } == [0, 1, 2])
        #expect(try app.recorded() == [])
    }
}
