import BellwetherCore
import BellwetherJSON
import Testing

/// Branches that a person chose (docs/reference/http-api.md#participation).
@Suite struct OptInTests {
    private func choosing(_ branch: Identifier, _ slug: Identifier = "e") -> Participation {
        Participation(optedIn: [EnrolledBranch(slug: slug, branch: branch)])
    }

    @Test(arguments: ["control", "treatment"])
    func aChosenBranchOpensEveryGate(_ branch: Identifier) throws {
        var changes: JSONObject = ["isEnrollmentPaused": true, "targeting": "false", "appName": "x", "channel": "x"]
        changes["bucketConfig"] = SampleExperiment.buckets(["count": 0])["bucketConfig"]
        var scene = EvolutionScene(try SampleExperiment.experiment("e", changes))
        scene.participation = choosing(branch)
        #expect(scene.evolve() == ["enrollment e \(branch)"])
        #expect(scene.words() == "Enrolled OptIn \(branch)")
        // The choice remains until an opt-out.
        scene.participation = .full
        #expect(scene.evolve().isEmpty)
        #expect(scene.words() == "Enrolled OptIn \(branch)")
        scene.participation = Participation(optedOut: ["e"])
        #expect(scene.evolve() == ["disqualification e \(branch)"])
    }

    @Test func enrolledClientsMayChange() throws {
        var scene = EvolutionScene(try SampleExperiment.experiment())
        scene.evolve()
        let other = scene.status()?.branch == "control" ? "treatment" : "control"
        scene.participation = choosing(Identifier(other))
        #expect(scene.evolve() == ["enrollment e \(other)"])
        #expect(scene.words() == "Enrolled OptIn \(other)")
    }

    @Test func optOutsOverrule() throws {
        var scene = EvolutionScene(try SampleExperiment.experiment())
        let choice = [EnrolledBranch(slug: "e", branch: "control")]
        scene.participation = Participation(optedOut: ["e"], optedIn: choice)
        #expect(scene.evolve().isEmpty)
        #expect(scene.status() == .notEnrolled(.optOut))
        scene.participation = Participation(experiments: false, optedIn: choice)
        #expect(scene.evolve().isEmpty)
        #expect(scene.status() == .notEnrolled(.experimentsOptOut))
        scene.participation = Participation(optedIn: choice)
        #expect(scene.evolve() == ["enrollment e control"])
    }

    @Test func whoIsOutForGoodMayChooseToComeBack() throws {
        var scene = EvolutionScene(try SampleExperiment.experiment())
        scene.evolve()
        scene.participation = Participation(optedOut: ["e"])
        scene.evolve()
        scene.participation = choosing("control")
        #expect(scene.evolve() == ["enrollment e control"])
    }

    @Test func aBranchThatDoesNotExistIsToldOnce() throws {
        var scene = EvolutionScene(try SampleExperiment.experiment())
        scene.participation = choosing("nope")
        #expect(scene.evolve() == ["enroll_failed e nope does-not-exist"])
        #expect(scene.status()?.name == "Error")
        scene.participation = .full
        scene.evolve()
        #expect(scene.words()?.hasPrefix("Enrolled Qualified") == true)
        scene.participation = choosing("nope")
        #expect(scene.evolve().isEmpty)
    }

    @Test func aChosenBranchThatIsGone() throws {
        var scene = EvolutionScene(try SampleExperiment.experiment())
        scene.participation = choosing("control")
        scene.evolve()
        scene.live = [try SampleExperiment.experiment("e", ["branches": [SampleExperiment.branch("treatment")]])]
        #expect(scene.evolve() == ["disqualification e control"])
        #expect(scene.words() == "Disqualified Error control")
    }

    @Test func labsKeepTheirOtherGates() throws {
        var scene = EvolutionScene(
            try SampleExperiment.experiment("e", ["isFirefoxLabsOptIn": true, "targeting": "age == 5"]))
        scene.participation = choosing("control")
        scene.attributes = ["age": 4]
        #expect(scene.evolve().isEmpty)
        #expect(scene.status() == .notEnrolled(.notTargeted))
        scene.attributes = ["age": 5]
        #expect(scene.evolve() == ["enrollment e control"])
        #expect(scene.words() == "Enrolled FirefoxLabsOptIn control")
        scene.participation = Participation(optedOut: ["e"])
        #expect(scene.evolve() == ["disqualification e control"])
        #expect(scene.words() == "Disqualified FirefoxLabsOptOut control")
    }
}
