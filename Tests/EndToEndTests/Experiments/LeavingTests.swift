import BellwetherJSON
import TestSupport
import Testing

/// The ways in which a client leaves an experiment, and the changes that do not make it leave
/// (docs/reference/experiments.md#transitions).
@Suite struct LeavingTests {
    private static let enrollment = "enrollment experiment=e branch=treatment"

    @Test func `A recipe that is deleted ends enrollments at the next poll`() throws {
        let app = try TestApp()
        try app.publish("e", Sample.experiment("e", Sample.treatment))
        #expect(try app.keys() == ["new"])
        try app.delete("e")
        for _ in 0..<2 { #expect(try app.keys() == []) }
        #expect(try app.enrollmentEvents() == [Self.enrollment, "unenrollment experiment=e branch=treatment"])
        // The message is still known, but without its experiment.
        try app.record("c", Event.message("displayed", "new"))
        #expect(try app.enrollmentEvents().count == 2)
        #expect(try app.telemetry().last?["experiment"] == .null)
        // An experiment that is published again does not enroll its former clients again, but it enrolls others.
        try app.publish("e", Sample.experiment("e", Sample.treatment))
        #expect(try app.keys() == [])
        #expect(try app.keys("d") == ["new"])
        #expect(try app.enrollmentEvents().count == 2)
    }

    @Test func `A rollout that comes again takes clients back`() throws {
        let app = try TestApp()
        let recipe = Sample.experiment("e", Sample.treatment, ["isRollout": true])
        try app.publish("e", recipe)
        _ = try app.poll()
        try app.delete("e")
        _ = try app.poll()
        try app.publish("e", recipe)
        #expect(try app.keys() == ["new"])
        #expect(
            try app.enrollmentEvents() == [
                Self.enrollment, "unenrollment experiment=e branch=treatment", Self.enrollment,
            ])
    }

    @Test func `Who is targeted no more is disqualified, once and for good`() throws {
        let app = try TestApp()
        try app.publish("e", Sample.experiment("e", Sample.treatment, ["targeting": "age > 30"]))
        #expect(try app.keys("c", "&age=40") == ["new"])
        let answers = try (0..<2).map { _ in try app.keys("c", "&age=20") }
        #expect(answers == [[], []])
        let expected = [Self.enrollment, "disqualification experiment=e branch=treatment"]
        #expect(try app.enrollmentEvents() == expected)
        #expect(try app.keys("c", "&age=40") == [])
        #expect(try app.enrollmentEvents() == expected)
    }

    @Test func `Sticky targeting keeps who is in`() throws {
        let app = try TestApp()
        let targeting: JSONObject = ["targeting": "(is_already_enrolled) || (age > 30)"]
        try app.publish("e", Sample.experiment("e", Sample.treatment, targeting))
        #expect(try app.keys("d", "&age=20") == [])
        #expect(try app.keys("c", "&age=40") == ["new"])
        #expect(try app.keys("c", "&age=20") == ["new"])
        #expect(try app.enrollmentEvents() == [Self.enrollment])
    }

    @Test func `Fewer buckets and a branch that is gone disqualify`() throws {
        let app = try TestApp()
        try app.publish("e", Sample.experiment("e", Sample.treatment))
        try app.publish("f", Sample.experiment("f", ["one": Sample.message("f")]))
        _ = try app.poll()
        try app.publish("e", Sample.experiment("e", Sample.treatment, ["bucketConfig": Sample.buckets("n", count: 0)]))
        try app.publish("f", Sample.experiment("f", ["other": Sample.message("f")]))
        #expect(try app.keys() == [])
        #expect(
            try app.enrollmentEvents().suffix(2) == [
                "disqualification experiment=e branch=treatment", "disqualification experiment=f branch=one",
            ])
    }

    @Test func `Paused enrollment keeps who is in and takes nobody else`() throws {
        let app = try TestApp()
        try app.publish("e", Sample.experiment("e", Sample.treatment))
        #expect(try app.keys() == ["new"])
        try app.publish("e", Sample.experiment("e", Sample.treatment, ["isEnrollmentPaused": true]))
        #expect(try app.keys() == ["new"])
        #expect(try app.keys("late") == [])
        #expect(try app.enrollmentEvents("late") == [])
        try app.publish("e", Sample.experiment("e", Sample.treatment))
        #expect(try app.keys("late") == ["new"])
        #expect(try app.enrollmentEvents() == [Self.enrollment])
    }

    @Test func `A branch is not chosen again when shares, texts or other recipes change`() throws {
        let app = try TestApp()
        try app.publish("e", Sample.experiment("e"))
        let clients = (0..<30).map { "client-\($0)" }
        let before = try clients.map { try app.poll($0, "&surface=card").json["messages"][0]["branch"] }
        var changed = Sample.experiment("e").object ?? [:]
        let ratios: [JSONValue] = [1000, 1]
        changed["branches"] = .array(
            zip(changed["branches"]?.array ?? [], ratios).map { branch, ratio in
                .object((branch.object ?? [:]).merging("ratio", ratio))
            })
        try app.publish("e", .object(changed))
        try app.publish("f", Sample.experiment("f", ["f": Sample.message("f", ["surface": "notification"])]))
        try app.publish("r", Sample.experiment("r", ["r": [:]], ["isRollout": true]))
        try app.delete("f")
        #expect(try clients.map { try app.poll($0, "&surface=card").json["messages"][0]["branch"] } == before)
        #expect(try app.telemetry().filter { $0["experiment"] == "e" }.count == clients.count)
    }
}
