import BellwetherJSON
import TestSupport
import Testing

/// The events that count as an exposure, and those that do not (docs/reference/experiments.md#exposure).
@Suite struct ExposureTests {
    private static let enrollment = "enrollment experiment=e branch=treatment"
    private static let exposure = "exposure experiment=e branch=treatment feature_id=messaging"

    private func exposed(_ experiment: String? = nil, _ feature: String? = nil) -> JSONValue {
        var event: JSONObject = ["type": "feature", "action": "exposed"]
        if let experiment { event["experiment"] = .string(experiment) }
        if let feature { event["feature_id"] = .string(feature) }
        return .object(event)
    }

    @Test func `A display of a message under the experiment exposes; an offer, a press and another message do not`()
        throws
    {
        let app = try TestApp()
        try app.publish("e", Sample.experiment("e", Sample.treatment))
        try app.publish("plain", Sample.message("plain", ["surface": "notification"]))
        for _ in 0..<3 { #expect(try app.keys() == ["new", "plain"]) }
        #expect(try app.enrollmentEvents() == [Self.enrollment], "an offer is no exposure")
        try app.record("c", Event.message("displayed", "plain"), Event.message("displayed", "new"))
        #expect(try app.enrollmentEvents() == [Self.enrollment, Self.exposure])
        try app.record("c", Event.message("dismissed", "plain"), Event.message("clicked", "new"))
        #expect(try app.enrollmentEvents() == [Self.enrollment, Self.exposure])
        // The records of the message name the experiment too.
        let shown = try app.telemetry().filter { $0["name"] == "shown" }
        #expect(shown.map { $0["experiment"] } == [.null, "e"])
        #expect(shown.map { $0["branch"] } == [.null, "treatment"])
    }

    @Test func `A control that is selected exposes, and shows what stands behind it`() throws {
        let app = try TestApp()
        let control: KeyValuePairs<String, JSONValue> = [
            "control": Sample.message(
                "control", ["is-control": true, "experiment": "{experiment}", "style": "ONCE", "text": ""])
        ]
        try app.publish("e", Sample.experiment("e", control))
        try app.publish("behind", Sample.message("behind"))
        #expect(try app.keys("c", "&surface=notification") == [])
        #expect(try app.enrollmentEvents() == ["enrollment experiment=e branch=control"])
        for _ in 0..<2 { #expect(try app.keys("c", "&surface=card") == ["behind"]) }
        #expect(
            try app.enrollmentEvents() == [
                "enrollment experiment=e branch=control", "exposure experiment=e branch=control feature_id=messaging",
            ])
        #expect(try !app.recorded().contains("messaging.shown"))
    }

    @Test func `A client that enrolls at the poll which selects the control is enrolled first`() throws {
        let app = try TestApp()
        let control: KeyValuePairs<String, JSONValue> = [
            "control": Sample.message("control", ["is-control": true, "experiment": "{experiment}"])
        ]
        try app.publish("e", Sample.experiment("e", control))
        #expect(try app.keys() == [])
        #expect(
            try app.enrollmentEvents() == [
                "enrollment experiment=e branch=control", "exposure experiment=e branch=control feature_id=messaging",
            ])
    }

    @Test func `A client may say so itself, of an experiment it is in`() throws {
        let app = try TestApp()
        try app.publish("e", Sample.experiment("e", Sample.treatment))
        _ = try app.poll()
        try app.record("c", exposed("e"), exposed("e", "homepage"), exposed(), exposed(nil, "homepage"))
        #expect(
            try app.enrollmentEvents() == [
                Self.enrollment, Self.exposure, "exposure experiment=e branch=treatment feature_id=homepage",
                Self.exposure,
            ])
        // The client is not enrolled: it never polled, or the recipe is unknown or ended.
        try app.record("stranger", exposed("e"), exposed())
        try app.record("c", exposed("unknown"))
        #expect(try app.enrollmentEvents("stranger") == [])
        try app.delete("e")
        try app.record("c", exposed("e"), exposed())
        #expect(try app.enrollmentEvents().count == 4)
    }

    @Test func `Without a name only the one experiment with the feature is meant`() throws {
        let app = try TestApp()
        try app.publish("e", Sample.experiment("e", Sample.treatment))
        try app.publish("r", Sample.experiment("r", ["b": Sample.message("r")], ["isRollout": true]))
        _ = try app.poll()
        try app.record("c", exposed())
        #expect(try app.enrollmentEvents().last == Self.exposure, "a rollout does not count")
        try app.publish("f", Sample.experiment("f", ["b": Sample.message("f")]))
        _ = try app.poll()
        try app.record("c", exposed())
        #expect(try app.enrollmentEvents().last == "enrollment experiment=f branch=b")
        try app.record("c", exposed("f"))
        #expect(try app.enrollmentEvents().last == "exposure experiment=f branch=b feature_id=messaging")
    }

    @Test func `Who was disqualified is not exposed`() throws {
        let app = try TestApp()
        try app.publish("e", Sample.experiment("e", Sample.treatment, ["targeting": "age > 30"]))
        _ = try app.keys("c", "&age=40")
        _ = try app.keys("c", "&age=20")
        try app.record("c", exposed("e"), Event.message("displayed", "new"))
        #expect(
            try app.enrollmentEvents() == [Self.enrollment, "disqualification experiment=e branch=treatment"])
    }

    @Test func `Enrollment outlasts a pause, and so does what it says of exposures`() throws {
        let app = try TestApp()
        try app.publish("e", Sample.experiment("e", Sample.treatment))
        _ = try app.poll()
        let paused = try app.server.post("\(app.path)/recipes/e/state", ["state": "paused"])
        #expect(paused.status == 200)
        #expect(try app.keys() == [])
        // The message was shown before the pause, and reported after it.
        try app.record("c", Event.message("displayed", "new"), exposed("e"))
        #expect(try app.enrollmentEvents() == [Self.enrollment, Self.exposure, Self.exposure])
    }
}
