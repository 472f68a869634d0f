import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// The gates for a recipe that the client is not enrolled in, each with its reason, in order
/// (docs/reference/experiments.md#enrollment-gates).
@Suite struct EnrollmentGateTests {
    private func status(_ changes: JSONObject = [:], _ prepare: (inout EvolutionScene) -> Void = { _ in }) throws
        -> EnrollmentStatus?
    {
        var scene = EvolutionScene(try SampleExperiment.experiment("e", changes))
        prepare(&scene)
        let told = scene.evolve()
        if case .enrolled(_, let branch)? = scene.status() {
            #expect(told == ["enrollment e \(branch)"])
        } else {
            #expect(told.isEmpty)
        }
        return scene.status()
    }

    @Test func whoPassesAllGatesIsIn() throws {
        let branch = try Bucketing.branchIndex(
            hash48: Bucketing.branchHash(id: "client", slug: "e"), ratios: [1, 1])
        #expect(try status() == .enrolled(.qualified, branch: ["control", "treatment"][branch]))
    }

    @Test func firefoxLabs() throws {
        #expect(try status(["isFirefoxLabsOptIn": true]) == .notEnrolled(.firefoxLabs))
    }

    @Test func optOuts() throws {
        #expect(
            try status { $0.participation = Participation(experiments: false) } == .notEnrolled(.experimentsOptOut))
        #expect(try status { $0.participation = Participation(rollouts: false) }?.isEnrolled == true)
        #expect(
            try status(["isRollout": true]) { $0.participation = Participation(rollouts: false) }
                == .notEnrolled(.rolloutsOptOut))
        #expect(try status { $0.participation = Participation(optedOut: ["e"]) } == .notEnrolled(.optOut))
        #expect(try status { $0.participation = Participation(optedOut: ["f"]) }?.isEnrolled == true)
    }

    @Test func enrollmentPaused() throws {
        #expect(try status(["isEnrollmentPaused": true]) == .notEnrolled(.enrollmentsPaused))
    }

    @Test func app() throws {
        #expect(try status { $0.appName = "other" } == .notEnrolled(.differentAppName))
        #expect(try status { $0.appName = "Sample" } == .notEnrolled(.differentAppName))
        #expect(try status { $0.appName = nil }?.isEnrolled == true)
        #expect(try status(["appName": nil]) { $0.appName = "other" }?.isEnrolled == true)
    }

    @Test func channels() throws {
        #expect(try status { $0.channel = "beta" } == .notEnrolled(.differentChannel))
        #expect(try status { $0.channel = "Release" }?.isEnrolled == true)
        #expect(try status { $0.channel = nil }?.isEnrolled == true)
        #expect(try status(["channel": nil]) { $0.channel = "beta" }?.isEnrolled == true)
        #expect(
            try status(["channel": nil, "channels": ["nightly", "BETA"]]) { $0.channel = "beta" }?.isEnrolled == true)
        #expect(
            try status(["channel": nil, "channels": ["nightly"]]) { $0.channel = "beta" }
                == .notEnrolled(.differentChannel))
    }

    @Test func targeting() throws {
        #expect(try status(["targeting": "age > 30"]) { $0.attributes = ["age": 31] }?.isEnrolled == true)
        #expect(try status(["targeting": "age > 30"]) { $0.attributes = ["age": 30] } == .notEnrolled(.notTargeted))
        #expect(try status(["targeting": nil])?.isEnrolled == true)
    }

    @Test(arguments: ["undefined_thing == 1", "1", "'x'|eventSum('Eons', 1)", "locale"])
    func targetingThatFails(_ source: String) throws {
        guard case .error(let text)? = try status(["targeting": .string(source)]) else {
            Issue.record("not an error")
            return
        }
        #expect(!text.isEmpty)
    }

    @Test func randomizationUnits() throws {
        let none = RandomizationIDs(nimbusID: nil, userID: "u")
        #expect(try status { $0.ids = none } == .error("No randomization unit"))
        #expect(
            try status(SampleExperiment.buckets(["randomizationUnit": "user_id"])) { $0.ids = none }?.isEnrolled == true
        )
    }

    @Test func theClientIsBothUnitsUnlessTheContextSaysOtherwise() {
        let plain = RandomizationIDs(clientID: "c", context: Sample.context())
        #expect(plain == RandomizationIDs(nimbusID: "c", userID: "c"))
        let told = RandomizationIDs(clientID: "c", context: Sample.context(["user_id": "u", "nimbus_id": 5]))
        #expect(told == RandomizationIDs(nimbusID: "c", userID: "u"))
        #expect(RandomizationIDs(clientID: nil, context: Sample.context()).id(.nimbusID) == nil)
    }

    @Test func buckets() throws {
        #expect(try status(SampleExperiment.buckets(["count": 0])) == .notEnrolled(.notSelected))
    }

    /// The branch follows from the hash (docs/reference/experiments.md#bucketing).
    @Test(arguments: EnrollmentVector.all)
    func bucketsAreUpstreams(_ vector: EnrollmentVector) throws {
        let buckets = SampleExperiment.buckets([
            "namespace": .string(vector.namespace), "start": .integer(Int64(vector.start)),
            "count": .integer(Int64(vector.count)), "total": .integer(Int64(vector.total)),
        ])
        let status = try status(buckets) { $0.ids = RandomizationIDs(nimbusID: vector.id, userID: nil) }
        #expect(status?.isEnrolled == vector.isIn)
    }

    @Test func theFirstGateGivesTheReason() throws {
        // Every gate is closed at first. They are opened one by one, beginning with the first.
        var changes: JSONObject = [
            "isFirefoxLabsOptIn": true, "isEnrollmentPaused": true, "targeting": "false", "appName": "x",
            "channel": "x",
        ]
        changes["bucketConfig"] = SampleExperiment.buckets(["count": 0])["bucketConfig"]
        var participation = Participation(experiments: false)
        var reasons: [String?] = []
        let steps: [(inout JSONObject) -> Void] = [
            { _ in }, { $0["isFirefoxLabsOptIn"] = false }, { _ in participation = .full },
            { $0["isEnrollmentPaused"] = false }, { $0["appName"] = "sample" }, { $0["channel"] = "release" },
            { $0["targeting"] = "true" },
        ]
        for step in steps {
            step(&changes)
            reasons.append(try status(changes) { $0.participation = participation }?.reason)
        }
        #expect(
            reasons == [
                "FirefoxLabs", "ExperimentsOptOut", "EnrollmentsPaused", "DifferentAppName", "DifferentChannel",
                "NotTargeted", "NotSelected",
            ])
    }
}
