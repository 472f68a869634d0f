import BellwetherCore
import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherService

/// A poll brings a client's enrollments up to date, and all later decisions use them
/// (docs/reference/experiments.md#evolution).
@Suite struct EnrollmentAtPollTests {
    private static let target: JSONObject = ["targeting": "age >= 18"]

    private func scene(_ changes: JSONObject = [:], branches: KeyValuePairs<String, JSONValue>? = nil) -> Scene {
        let value = NimbusRecipe.survey("m")
        return Scene(
            manifest: SampleManifest.with(["attributes": ["age": "number"]]),
            recipes: ["e": NimbusRecipe.experiment("e", branches ?? ["treatment": value], changes)])
    }

    private func phrases(_ scene: Scene) -> [String] { scene.log.map(\.phrase) }

    @Test func firstPollEnrollsAndShows() throws {
        var scene = scene()
        let offers = try scene.poll(["microsurvey"]).offers
        #expect(offers.first?.message.facts.enrollment == EnrolledBranch(slug: "e", branch: "treatment"))
        #expect(phrases(scene) == ["enrollment(e)"])
        #expect(scene.log.first?.extra == ["experiment": "e", "branch": "treatment"])
        #expect(try scene.next("microsurvey") == "m")
        #expect(phrases(scene) == ["enrollment(e)"], "once")
    }

    @Test func whoIsNotTargetedSeesNothingAndIsNotRemembered() throws {
        var scene = scene(Self.target)
        #expect(try scene.next("microsurvey", attributes: ["age": 17]) == nil)
        #expect(scene.state == ClientState() && scene.log.isEmpty)
        #expect(try scene.next("microsurvey", attributes: ["age": 18]) == "m")
        #expect(try scene.next("microsurvey", attributes: ["age": 17]) == nil)
        #expect(phrases(scene) == ["enrollment(e)", "disqualification(e)"])
        #expect(try scene.next("microsurvey", attributes: ["age": 18]) == nil, "an experiment takes nobody back")
    }

    @Test func eventsOfTheSamePollCountForTargeting() throws {
        var scene = scene(["targeting": "'x'|eventSum('Days', 1, 0) > 0"])
        #expect(try scene.next("microsurvey") == nil)
        let event: JSONValue = ["type": "behavior", "name": "x"]
        #expect(try scene.poll(["microsurvey"], events: [event]).offers.map(\.message.key) == ["m"])
    }

    @Test func endedRecipeUnenrolls() throws {
        var scene = scene()
        _ = try scene.next("microsurvey")
        scene.publish(.deleteRecipe(slug: "e"))
        #expect(try scene.next("microsurvey") == nil)
        #expect(phrases(scene) == ["enrollment(e)", "unenrollment(e)"])
        #expect(try scene.next("microsurvey") == nil)
        #expect(scene.log.count == 2)
    }

    @Test func displayExposesTheBranch() throws {
        var scene = scene()
        _ = try scene.next("microsurvey")
        try scene.report(message: "displayed", "m")
        #expect(phrases(scene) == ["enrollment(e)", "exposure(e)", "shown(m)"])
        let exposure = scene.log[1]
        #expect(exposure.extra == ["experiment": "e", "branch": "treatment", "feature_id": "messaging"])
        #expect(exposure.experiment == "e" && exposure.branch == "treatment")
    }

    @Test func nobodyIsExposedWhoIsNotEnrolled() throws {
        var scene = scene(Self.target)
        try scene.report(message: "displayed", "m")
        try scene.report(["type": "feature", "action": "exposed", "experiment": "e"])
        #expect(phrases(scene) == ["shown(m)"])
        _ = try scene.next("microsurvey", attributes: ["age": 20])
        scene.publish(.deleteRecipe(slug: "e"))
        try scene.report(message: "displayed", "m")
        #expect(phrases(scene).filter { $0 == "exposure(e)" }.isEmpty, "the recipe is gone")
    }

    @Test func featureExposure() throws {
        var scene = scene()
        _ = try scene.next("microsurvey")
        try scene.report(["type": "feature", "action": "exposed", "experiment": "e"])
        try scene.report(["type": "feature", "action": "exposed"])
        try scene.report(["type": "feature", "action": "exposed", "feature_id": "other"])
        try scene.report(["type": "feature", "action": "exposed", "experiment": "f"])
        #expect(phrases(scene) == ["enrollment(e)", "exposure(e)", "exposure(e)"])
    }

    @Test func controlOfAnExperimentIsCountedWithItsBranch() throws {
        var scene = scene(branches: ["control": NimbusRecipe.survey("c", ["is-control": true])])
        #expect(try scene.next("microsurvey") == nil)
        #expect(phrases(scene) == ["enrollment(e)", "exposure(e)"])
        #expect(scene.state.ledger["c"].displayCount == 1)
        #expect(scene.log[1].branch == "control")
    }

    /// Two branches have one key and different options: an answer is checked against the variant that the client was
    /// shown.
    @Test func answersGoByTheClientsForm() throws {
        let branches: KeyValuePairs<String, JSONValue> = [
            "a": NimbusRecipe.survey("m", ["microsurveyConfig": ["options": ["1", "2", "3"]]]),
            "b": NimbusRecipe.survey("m", ["microsurveyConfig": ["options": ["x"]]]),
        ]
        var seen: [String: Int] = [:]
        for number in 0..<20 {
            var scene = scene(branches: branches)
            scene.clientID = "client-\(number)"
            let offer = try #require(try scene.poll(["microsurvey"]).offers.first)
            let branch = try #require(offer.message.facts.enrollment?.branch)
            seen[branch.text] = offer.message.revision
            let outcome = try scene.answer("m", "1")
            guard case .stored(let response) = outcome else {
                #expect(branch == "b" && outcome == .refused(.unknownOption))
                continue
            }
            #expect(branch == "a" && response.text == "2" && response.revision == offer.message.revision)
        }
        #expect(seen == ["a": 1, "b": 2], "one number never stands for two contents")
    }

    /// The same key is a control in one branch, where it is never displayed.
    @Test func displayableGoesByTheClientsForm() throws {
        let branches: KeyValuePairs<String, JSONValue> = [
            "control": NimbusRecipe.survey("m", ["is-control": true]), "treatment": NimbusRecipe.survey("m"),
        ]
        var codes: [String: String] = [:]
        for number in 0..<20 {
            var scene = scene(branches: branches)
            scene.clientID = "client-\(number)"
            _ = try scene.poll(["microsurvey"])
            let branch = try #require(scene.log.first?.branch)
            codes[branch.text] = try scene.report(message: "displayed", "m").rejected.first?.code ?? "accepted"
        }
        #expect(codes == ["control": "not_displayable", "treatment": "accepted"])
    }

    @Test func coenrolledExperimentsMergeTheirMessages() throws {
        var scene = Scene(recipes: [
            "base": NimbusRecipe.survey("m"),
            "e": NimbusRecipe.experiment("e", ["t": ["messages": ["m": ["text": "e", "title": "e"]]]]),
            "f": NimbusRecipe.experiment("f", ["t": ["messages": ["m": ["text": "f"]]]]),
        ])
        let message = try #require(try scene.poll(["microsurvey"]).offers.first?.message)
        #expect(message.definition.text == "f" && message.definition.title == "e")
        #expect(message.facts.enrollment == EnrolledBranch(slug: "base", branch: "rollout"))
        #expect(Set(phrases(scene)) == ["enrollment(e)", "enrollment(f)"])
    }

    @Test func optOutLeavesAtOnce() throws {
        var scene = scene()
        _ = try scene.next("microsurvey")
        scene.participate(Participation(optedOut: ["e"]))
        #expect(phrases(scene) == ["enrollment(e)", "disqualification(e)"])
        try scene.report(message: "displayed", "m")
        #expect(try scene.next("microsurvey") == nil)
        #expect(!phrases(scene).contains("exposure(e)"))
        #expect(scene.state.enrollments.unpacked.participation.optedOut == ["e"])
    }

    @Test func choiceIsTakenAtTheNextPoll() throws {
        var scene = scene(Self.target, branches: ["a": [:], "b": NimbusRecipe.survey("m")])
        scene.participate(Participation(optedIn: [EnrolledBranch(slug: "e", branch: "b")]))
        #expect(scene.log.isEmpty)
        #expect(try scene.next("microsurvey", attributes: ["age": 3]) == "m")
        #expect(scene.log.map(\.branch) == ["b"])
    }

    @Test func nimbusAndUserIDOfTheContextChooseTheBranch() throws {
        let branches: KeyValuePairs<String, JSONValue> = ["a": [:], "b": [:]]
        func branch(_ id: String, _ attributes: [String: JSONValue], unit: String) throws -> Identifier? {
            var buckets = NimbusRecipe.experiment("e", branches).object?["bucketConfig"]?.object ?? [:]
            buckets["randomizationUnit"] = .string(unit)
            var scene = scene(["bucketConfig": .object(buckets)], branches: branches)
            scene.clientID = Identifier(id)
            _ = try scene.next("microsurvey", attributes: attributes)
            return scene.log.first?.branch
        }
        for number in 0..<10 {
            let expected = try branch("u\(number)", [:], unit: "user_id")
            #expect(try branch("u\(number)", [:], unit: "nimbus_id") == expected, "the client's id stands for both")
            #expect(try branch("other", ["user_id": .string("u\(number)")], unit: "user_id") == expected)
        }
    }

    @Test func otherRecipesOfAnAppDoNotCountForTheOtherApps() throws {
        var scene = scene(["appName": "another"])
        #expect(try scene.next("microsurvey") == nil && scene.log.isEmpty)
    }
}
