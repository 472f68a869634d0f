import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// The transitions of an enrollment when its recipe, its client or the year changes
/// (docs/reference/experiments.md#transitions).
@Suite struct EnrollmentTransitionTests {
    /// A client that is enrolled in `e`.
    private func enrolled(_ changes: JSONObject = [:]) throws -> (EvolutionScene, Identifier) {
        var scene = EvolutionScene(try SampleExperiment.experiment("e", changes))
        scene.evolve()
        return (scene, try #require(scene.status()?.branch))
    }

    private func after(_ changes: JSONObject, from before: JSONObject = [:]) throws -> (String?, [String]) {
        var (scene, branch) = try enrolled(before)
        var all = before
        for (key, value) in changes { all[key] = value }
        scene.live = [try SampleExperiment.experiment("e", all)]
        let told = scene.evolve()
        return (
            scene.words()?.replacing(branch.text, with: "BRANCH"),
            told.map { $0.replacing(branch.text, with: "BRANCH") }
        )
    }

    @Test(
        arguments: [
            (["isEnrollmentPaused": true], "Enrolled Qualified BRANCH"),
            (["targeting": "false"], "Disqualified NotTargeted BRANCH"),
            (["targeting": "undefined_thing"], "Disqualified Error BRANCH"),
            (["appName": "x"], "Disqualified NotTargeted BRANCH"),
            (["channel": "x"], "Disqualified NotTargeted BRANCH"),
            (SampleExperiment.buckets(["count": 0]), "Disqualified NotSelected BRANCH"),
            (["branches": [SampleExperiment.branch("new")]], "Disqualified Error BRANCH"),
            (["targeting": "is_already_enrolled || false"], "Enrolled Qualified BRANCH"),
            (["isEnrollmentPaused": true, "targeting": "false"], "Disqualified NotTargeted BRANCH"),
        ] as [(JSONObject, String)])
    func aRecipeThatChanges(_ changes: JSONObject, words: String) throws {
        let (status, told) = try after(changes)
        #expect(status == words)
        #expect(told == (words.hasPrefix("Enrolled") ? [] : ["disqualification e BRANCH"]))
    }

    @Test func aBranchIsNotRolledAgain() throws {
        let (status, told) = try after([
            "branches": [
                SampleExperiment.branch("control", ratio: 0), SampleExperiment.branch("treatment", ratio: 0),
                SampleExperiment.branch("new", ratio: 1),
            ]
        ])
        #expect(status == "Enrolled Qualified BRANCH")
        #expect(told.isEmpty)
    }

    @Test func stickyTargetingLetsNobodyNewIn() throws {
        var scene = EvolutionScene(
            try SampleExperiment.experiment("e", ["targeting": "(is_already_enrolled) || (age == 5)"]))
        scene.attributes = ["age": 6]
        scene.evolve()
        #expect(scene.status() == .notEnrolled(.notTargeted))
        scene.attributes = ["age": 5]
        scene.evolve()
        scene.attributes = ["age": 6, "is_already_enrolled": false]
        #expect(scene.evolve().isEmpty)
        #expect(scene.status()?.isEnrolled == true)
    }

    @Test(arguments: [false, true])
    func onlyRolloutsTakeBack(isRollout: Bool) throws {
        var (scene, branch) = try enrolled(["isRollout": .bool(isRollout)])
        let good = scene.live
        for changes in [["targeting": "false"], SampleExperiment.buckets(["count": 0])] as [JSONObject] {
            scene.live = [try SampleExperiment.experiment("e", changes.merging(["isRollout": .bool(isRollout)]))]
            scene.evolve()
            scene.live = good
            #expect(scene.evolve() == (isRollout ? ["enrollment e \(branch)"] : []))
            #expect(scene.status()?.isEnrolled == isRollout)
        }
    }

    @Test func errorsAreForGoodInRolloutsToo() throws {
        var (scene, branch) = try enrolled(["isRollout": true])
        let good = scene.live
        scene.live = [try SampleExperiment.experiment("e", ["isRollout": true, "targeting": "undefined_thing"])]
        scene.evolve()
        scene.live = good
        #expect(scene.evolve().isEmpty)
        #expect(scene.status() == .disqualified(.error, branch: branch))
    }

    @Test(arguments: [
        (false, Participation(experiments: false), "ExperimentsOptOut"),
        (false, Participation(optedOut: ["e"]), "OptOut"),
        (true, Participation(rollouts: false), "RolloutsOptOut"), (true, Participation(optedOut: ["e"]), "OptOut"),
    ])
    func optOuts(isRollout: Bool, participation: Participation, reason: String) throws {
        var (scene, branch) = try enrolled(["isRollout": .bool(isRollout)])
        scene.participation = participation
        #expect(scene.evolve() == ["disqualification e \(branch)"])
        #expect(scene.words() == "Disqualified \(reason) \(branch)")
        scene.participation = .full
        let comesBack = reason == "RolloutsOptOut"
        #expect(scene.evolve() == (comesBack ? ["enrollment e \(branch)"] : []))
        #expect(scene.status()?.isEnrolled == comesBack)
    }

    @Test func whoWasNeverInMayComeIn() throws {
        var scene = EvolutionScene(try SampleExperiment.experiment("e", ["targeting": "missing"]))
        for (changes, name) in [
            (["targeting": "missing"], "Error"), (["targeting": "false"], "NotTargeted"),
            (["isEnrollmentPaused": true], "EnrollmentsPaused"), ([:], "Qualified"),
        ] as [(JSONObject, String)] {
            scene.live = [try SampleExperiment.experiment("e", changes)]
            scene.evolve()
            #expect(scene.status()?.name == name || scene.status()?.reason == name)
        }
    }

    @Test func recipesThatAreGoneAreRememberedForAYear() throws {
        var (scene, branch) = try enrolled()
        scene.live = []
        #expect(scene.evolve() == ["unenrollment e \(branch)"])
        let ended = scene.now
        #expect(scene.status() == .wasEnrolled(branch: branch, endedAt: ended))
        scene.now = ended.adding(seconds: 365 * 86_400 - 1)
        #expect(scene.evolve().isEmpty)
        #expect(scene.enrollments.count == 1)
        scene.now = ended.adding(seconds: 365 * 86_400)
        #expect(scene.evolve().isEmpty)
        #expect(scene.enrollments.isEmpty)
    }

    @Test func disqualifiedClientsWereEnrolledToo() throws {
        var (scene, branch) = try enrolled()
        scene.participation = Participation(optedOut: ["e"])
        scene.evolve()
        scene.live = []
        #expect(scene.evolve() == ["unenrollment e \(branch)"])
        #expect(scene.words() == "WasEnrolled \(branch)")
    }

    @Test(arguments: [["targeting": "false"], ["targeting": "missing"]] as [JSONObject])
    func whoWasNeverInIsForgotten(_ changes: JSONObject) throws {
        var scene = EvolutionScene(try SampleExperiment.experiment("e", changes))
        scene.evolve()
        #expect(scene.enrollments.count == 1)
        scene.live = []
        #expect(scene.evolve().isEmpty)
        #expect(scene.enrollments.isEmpty)
    }

    @Test(arguments: [false, true])
    func relaunches(isRollout: Bool) throws {
        var (scene, branch) = try enrolled(["isRollout": .bool(isRollout)])
        let recipes = scene.live
        scene.live = []
        scene.evolve()
        scene.live = recipes
        scene.now = scene.now.adding(seconds: 2 * 365 * 86_400)
        #expect(scene.evolve() == (isRollout ? ["enrollment e \(branch)"] : []))
        #expect(scene.words() == (isRollout ? "Enrolled Qualified \(branch)" : "WasEnrolled \(branch)"))
    }

    @Test func aPausedRecipeKeepsItsClientsAsTheyAre() throws {
        var (scene, branch) = try enrolled()
        scene.live = []
        scene.paused = [
            try SampleExperiment.experiment("e", ["targeting": "false"]), try SampleExperiment.experiment("new"),
        ]
        #expect(scene.evolve().isEmpty)
        #expect(scene.words() == "Enrolled Qualified \(branch)")
        #expect(scene.status("new") == nil)
        scene.participation = Participation(optedOut: ["e"])
        #expect(scene.evolve() == ["disqualification e \(branch)"])
    }
}
