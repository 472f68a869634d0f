import BellwetherJSON
import TestSupport
import Testing

/// A branch that a client got in a response survives a kill -9, and so does its event, exactly once.
@Suite struct EnrollmentCrashTests {
    @Test func `The answer of a poll that enrolled is durable`() throws {
        var app = try TestApp(on: try Daemon())
        try app.publish("e", Sample.experiment("e"))
        let clients = (0..<40).map { "client-\($0)" }
        var branches: [JSONValue] = []
        for round in 0..<4 {
            // The kill follows directly after the last response.
            for client in clients[(10 * round)..<(10 * round + 10)] {
                branches.append(try app.poll(client).json["messages"][0]["branch"])
            }
            app = try app.restarted()
            let polled = clients[..<(10 * round + 10)]
            #expect(try polled.map { try app.poll($0).json["messages"][0]["branch"] } == branches)
        }
        #expect(Set(branches) == ["control", "treatment"])
        let records = try app.telemetry()
        #expect(records.map { $0["client_id"].string } == clients)
        #expect(records.map { $0["branch"] } == branches)
        #expect(records.allSatisfy { $0["name"] == "enrollment" })
    }

    @Test func `So is what ended an enrollment`() throws {
        var app = try TestApp(on: try Daemon())
        try app.publish("e", Sample.experiment("e", Sample.treatment))
        try app.publish(
            "f", Sample.experiment("f", ["b": Sample.message("f")], ["targeting": "age > 30"]))
        _ = try app.keys("c", "&age=40")
        try app.delete("e")
        _ = try app.keys("c", "&age=20")
        let events = try app.enrollmentEvents()
        #expect(
            events.suffix(2) == [
                "unenrollment experiment=e branch=treatment", "disqualification experiment=f branch=b",
            ])
        app = try app.restarted()
        try app.publish("e", Sample.experiment("e", Sample.treatment))
        #expect(try app.keys("c", "&age=40") == [], "neither is entered again")
        #expect(try app.enrollmentEvents() == events)
    }
}
