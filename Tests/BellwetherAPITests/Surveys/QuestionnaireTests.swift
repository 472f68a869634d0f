import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import BellwetherAPI

/// Questionnaires from the respondent's side: saving, submitting, resuming, opting out
/// (docs/reference/surveys.md#runs).
@Suite struct QuestionnaireTests {
    static let slug = "weekly"
    let world: WorkerUnderTest

    init() throws { world = try WorkerUnderTest(recipes: [Self.slug: Self.definition()]) }

    static func definition(active: Bool = true, _ more: JSONObject = [:]) -> JSONValue {
        let choice: JSONValue = [["id": "yes", "label": "Yes"], ["id": "no", "label": "No"]]
        let several: JSONValue = [["id": "a", "label": "A"], ["id": "b", "label": "B"], ["id": "c", "label": "C"]]
        var definition: JSONObject = [
            "kind": "questionnaire", "name": "Weekly", "is_active": .bool(active),
            "schema": [
                "version": 1,
                "questions": [
                    ["id": "q1", "type": "text", "title": "Anything?"],
                    ["id": "q2", "type": "single_choice", "title": "Sure?", "required": true, "options": choice],
                    ["id": "q3", "type": "multi_choice", "title": "Which?", "options": several],
                    ["id": "q4", "type": "rating", "title": "How good?"],
                    ["id": "q5", "type": "nps", "title": "Tell?"],
                ],
            ],
        ]
        for member in more { definition[member.key] = member.value }
        return .object(definition)
    }

    private var path: String { "/v1/apps/app/questionnaires/\(Self.slug)" }

    private func fetch(_ query: String = "client_id=c1") throws -> JSONValue {
        try world.send(.get, "\(path)?\(query)").json
    }

    private func save(
        _ answers: JSONValue, complete: Bool = false, _ more: JSONObject = ["client_id": "c1"]
    ) throws -> RecordedResponse {
        var body = more
        body["answers"] = answers
        if complete { body["is_complete"] = true }
        return try world.send(.post, "\(path)/responses", body: .object(body))
    }

    private func faults(_ answer: RecordedResponse) -> [String] {
        (answer.json["errors"].array ?? []).map { "\($0["code"].string ?? "") \($0["question_id"].string ?? "")" }
    }

    private func publish(_ definition: JSONValue) throws -> RecordedResponse {
        // The API cannot change a recipe that comes from a file.
        try world.send(.put, "/v1/apps/app/recipes/\(Self.slug)-2", body: definition)
    }

    @Test(
        arguments: [
            (["q5": 11], ["range q5"]), (["q4": 4.5], ["type q4"]), (["q4": "4"], ["type q4"]),
            (["q4": true], ["type q4"]),
            (["q4": 0], ["range q4"]), (["q3": ["a", "a"]], ["duplicate q3"]), (["zz": 1], ["unknown_key zz"]),
            (["q2": "maybe", "q5": -1], ["not_option q2", "range q5"]), (["q1": 5], ["type q1"]),
        ] as [(JSONValue, [String])])
    func faultyAnswersAreRefusedWithEveryFault(_ answers: JSONValue, _ expected: [String]) throws {
        let answer = try save(answers)
        #expect(answer.status == 422 && faults(answer) == expected)
        #expect(try fetch()["in_progress"] == .null)
    }

    @Test func aSubmissionNeedsWhatIsRequired() throws {
        let answer = try save([:], complete: true)
        #expect(answer.status == 422 && faults(answer) == ["required q2"])
        #expect(answer.json["errors"].array?.first?["pointer"] == "/answers/q2")
    }

    @Test func aDraftMayBeEmpty() throws {
        let answer = try save([:])
        #expect(answer.status == 201 && answer.json["status"] == "draft" && answer.json["was_submitted"] == false)
    }

    @Test func savesMergeAndAreSubmittedOnce() throws {
        #expect(try save(["q1": "x"]).status == 201)
        #expect(try save(["q2": "yes", "q3": []]).status == 200)
        let last = try save(["q4": 3], complete: true)
        #expect(last.status == 200 && last.json["was_submitted"] == true && last.json["status"] == "new")
        let again = try save(["q4": 3], complete: true)
        #expect(again.status == 409 && faults(again) == ["already_responded "])
        #expect(try fetch() == ["eligible": false, "reason": "already_responded"])
        let list = try world.send(.get, "\(path)/responses").json
        #expect(list["items"].array?.first?["answers"] == ["q1": "x", "q2": "yes", "q4": 3])
    }

    @Test func aDraftIsResumedAtTheFirstOpenQuestion() throws {
        _ = try save(["q1": "x", "q2": "no"])
        let draft = try fetch()["in_progress"]
        #expect(draft["answers"] == ["q1": "x", "q2": "no"] && draft["resume_at"] == "q3")
    }

    @Test(arguments: [.null, "", "  ", []] as [JSONValue])
    func anAnswerIsCleared(_ value: JSONValue) throws {
        _ = try save(["q1": "hi", "q5": 3])
        guard value != [] else {
            #expect(try save(["q3": ["a"]]).status == 200 && save(["q3": value]).status == 200)
            return #expect(try fetch()["in_progress"]["answers"] == ["q1": "hi", "q5": 3])
        }
        #expect(try save(["q1": value]).status == 200)
        #expect(try fetch()["in_progress"]["answers"] == ["q5": 3])
    }

    @Test func whoWantsNoMoreIsNotAskedUnlessByForce() throws {
        let body: JSONValue = ["client_id": "c1"]
        let dismissal = try world.send(.post, "/v1/apps/app/questionnaires/dismiss", body: body)
        #expect(dismissal.status == 200 && dismissal.json["dismissed_at"].string != nil)
        #expect(try fetch() == ["eligible": false, "reason": "globally_dismissed"])
        #expect(try fetch("client_id=c1&force=true")["eligible"] == true)
        #expect(try save(["q1": "x"]).status == 201, "drafts are still taken")
        #expect(try faults(save(["q2": "yes"], complete: true)) == ["globally_dismissed "])
        #expect(try world.send(.post, "/v1/apps/app/questionnaires/dismiss", body: [:]).status == 400)
    }

    @Test func aPreviewBelongsToNobodyAndCountsNowhere() throws {
        _ = try save(["q2": "yes"], complete: true)
        for _ in 0..<2 {
            let forced = try save(["q2": "no"], complete: true, ["client_id": "c1", "force": true])
            #expect(forced.status == 201 && forced.json["status"] == "preview")
            #expect(forced.json["was_submitted"] == false)
        }
        let results = try world.send(.get, "/v1/apps/app/results/\(Self.slug)").json
        #expect(results["total_responses"] == 1 && results["submitted_count"] == 1)
        #expect(try world.send(.get, "\(path)/responses?status=preview").json["items"].array?.count == 2)
        #expect(world.store.records.count { $0.contains("questionnaire.") } == 2, "started and submitted, once each")
    }

    /// A phone's software is updated between two pages of a questionnaire.
    @Test func aResponseHasTheNewestFactsOfItsClient() throws {
        let before: JSONObject = [
            "client_id": "c1", "app_version": "1.0", "os_version": "25", "session_id": "s1", "device_model": "A",
        ]
        let after: JSONObject = ["client_id": "c1", "app_version": "2.0", "os_version": "26", "session_id": "s2"]
        let id = try save(["q1": "x"], complete: false, before).json["id"].string ?? ""
        _ = try save(["q2": "maybe"], complete: false, ["client_id": "c1", "app_version": "refused"])
        #expect(try save(["q2": "yes"], complete: true, after).status == 200)
        let response = try world.send(.get, "/v1/apps/app/responses/\(id)").json
        #expect(response["app_version"] == "2.0" && response["os_version"] == "26" && response["session_id"] == "s2")
        #expect(response["device_model"] == "A", "what a save does not say stays")
    }

    @Test func whatIsInactiveIsInactiveForForceToo() throws {
        let world = try WorkerUnderTest(recipes: [Self.slug: Self.definition(active: false)])
        for query in ["client_id=c1", "client_id=c1&force=true"] {
            #expect(try world.send(.get, "\(path)?\(query)").json == ["eligible": false, "reason": "inactive"])
        }
        let saved = try world.send(.post, "\(path)/responses", body: ["client_id": "c1", "answers": [:]])
        #expect(saved.status == 409 && faults(saved) == ["inactive "])
    }

    @Test func whoHasNoIdNamesTheFirstSave() throws {
        let id = try #require(try save(["q1": "x"], [:]).json["id"].string)
        #expect(id.utf8.count == 32)
        #expect(try save(["q2": "yes"], ["response_id": .string(id)]).status == 200)
        #expect(try fetch("response_id=\(id)")["in_progress"]["answers"] == ["q1": "x", "q2": "yes"])
        #expect(try save(["q1": "y"], [:]).json["id"].string != id, "without it, it is another respondent")
        #expect(try save(["q1": "y"], ["response_id": "0123"]).status == 404)
    }

    @Test func anotherRevisionForgetsQuestionsThatAreGone() throws {
        var answer = try publish(Self.definition(["slug": "weekly-2"]))
        #expect(answer.status == 201)
        let path = "/v1/apps/app/questionnaires/weekly-2"
        let draft: JSONValue = ["client_id": "c1", "answers": ["q4": 3, "q2": "yes"]]
        #expect(try world.send(.post, "\(path)/responses", body: draft).status == 201)
        var second = Self.definition().object ?? [:]
        let questions = second["schema"]?.object?["questions"]?.array?.filter { $0["id"] != "q4" } ?? []
        second["schema"] = ["version": 1, "questions": .array(questions)]
        answer = try publish(.object(second))
        #expect(answer.status == 200 && answer.json["revision"] == 2)
        // An old client still sends the removed key; a key that never existed is refused.
        let old: JSONValue = ["client_id": "c1", "answers": ["q4": 5, "q1": "x"]]
        #expect(try world.send(.post, "\(path)/responses", body: old).status == 200)
        let unknown: JSONValue = ["client_id": "c1", "answers": ["q9": 5]]
        #expect(try world.send(.post, "\(path)/responses", body: unknown).status == 422)
        let last: JSONValue = ["client_id": "c1", "answers": [:], "is_complete": true]
        let submitted = try world.send(.post, "\(path)/responses", body: last)
        #expect(submitted.status == 200)
        let id = submitted.json["id"].string ?? ""
        let response = try world.send(.get, "/v1/apps/app/responses/\(id)").json
        #expect(response["answers"] == ["q2": "yes", "q1": "x"])
        let snapshot = response["schema_snapshot"]["questions"].array ?? []
        #expect(snapshot.compactMap { $0["id"].string } == ["q1", "q2", "q3", "q5"])
    }

    @Test func aUserAnswersOnceOnAllClients() throws {
        let identify: JSONValue = ["client_id": "c1", "user_id": "u1"]
        _ = try save(["q1": "x"])
        let merged = try world.send(.post, "/v1/apps/app/identify", body: identify).json
        #expect(merged == ["user_id": "u1", "merged": [.string(Self.slug)]])
        #expect(try fetch("user_id=u1")["in_progress"]["answers"] == ["q1": "x"])
        #expect(try fetch("client_id=c1")["in_progress"]["answers"] == ["q1": "x"], "c1 is u1")
        #expect(try save(["q2": "yes"], complete: true, ["client_id": "c2", "user_id": "u1"]).status == 200)
        #expect(try fetch("client_id=c1")["reason"] == "already_responded")
        #expect(try fetch("client_id=c2")["eligible"] == true, "c2 was not identified")
    }

    @Test func ofTwoRunsTheUsersOwnWins() throws {
        _ = try save(["q1": "client"])
        _ = try save(["q1": "user"], ["user_id": "u1"])
        let identify: JSONValue = ["client_id": "c1", "user_id": "u1"]
        #expect(try world.send(.post, "/v1/apps/app/identify", body: identify).json["merged"] == [])
        #expect(try fetch("client_id=c1")["in_progress"]["answers"] == ["q1": "user"])
        #expect(try world.send(.get, "\(path)/responses").json["items"].array?.count == 1)
    }

    @Test func theSameIdempotencyKeyGetsTheSameAnswer() throws {
        let body: JSONValue = ["client_id": "c1", "answers": ["q1": "x"]]
        let headers = [(name: "Idempotency-Key", value: "k1")]
        let first = try world.send(.post, "\(path)/responses", headers: headers, body: body)
        let second = try world.send(.post, "\(path)/responses", headers: headers, body: body)
        #expect(first.status == 201 && second.status == 201 && first.body == second.body)
        #expect(try world.send(.get, "\(path)/responses").json["items"].array?.count == 1)
    }

    @Test func ownersTriageAndComment() throws {
        let draft = try save(["q2": "yes"]).json["id"].string ?? ""
        let path = "/v1/apps/app/responses/\(draft)"
        #expect(try world.send(.patch, path, body: ["status": "addressed"]).status == 409, "a draft has no status")
        _ = try save([:], complete: true)
        #expect(try world.send(.patch, path, body: ["status": "addressed"]).json["status"] == "addressed")
        #expect(try world.send(.patch, path, body: ["status": "draft"]).status == 422)
        let comment = try world.send(.post, "\(path)/comments", body: ["body": "Call back"])
        #expect(comment.status == 201)
        let id = comment.json["id"].string ?? ""
        #expect(
            try world.send(.patch, "/v1/apps/app/comments/\(id)", body: ["body": "Called"]).json["body"] == "Called")
        #expect(try world.send(.get, path).json["comments"].array?.first?["body"] == "Called")
        #expect(try world.send(.delete, "/v1/apps/app/comments/\(id)").status == 204)
        #expect(try world.send(.delete, "/v1/apps/app/comments/\(id)").status == 404)
        #expect(try world.send(.delete, path).status == 204)
        #expect(try world.send(.get, path).status == 404)
        #expect(try fetch()["eligible"] == true, "who was deleted may answer again")
    }

    @Test func aListHasPages() throws {
        for number in 0..<5 {
            world.pass(seconds: 1)
            _ = try save(["q1": .string("\(number)")], ["client_id": .string("c\(number)")])
        }
        var (seen, query) = ([String](), "?limit=2")
        while true {
            let page = try world.send(.get, "\(path)/responses\(query)").json
            seen += (page["items"].array ?? []).compactMap { $0["client_id"].string }
            guard page["has_more"] == true, let cursor = page["cursor"].string else { break }
            query = "?limit=2&cursor=\(cursor)"
        }
        #expect(seen == ["c4", "c3", "c2", "c1", "c0"])
    }

    @Test func resultsCountWhatWasAnswered() throws {
        for (client, score) in zip(["a", "b", "c", "d"], [10, 9, 8, 6] as [JSONValue]) {
            _ = try save(["q5": score, "q2": "yes"], complete: true, ["client_id": .string(client)])
        }
        for (client, stars) in zip(["e", "f", "g"], [5, 4, 4] as [JSONValue]) {
            _ = try save(["q4": stars], ["client_id": .string(client)])
        }
        let results = try world.send(.get, "/v1/apps/app/results/\(Self.slug)").json
        #expect(results["total_responses"] == 7 && results["submitted_count"] == 4)
        let questions = results["questions"].array ?? []
        #expect(questions[4]["score"] == 25 && questions[4]["promoters"] == 2 && questions[4]["detractors"] == 1)
        #expect(questions[3]["average"] == 4.33 && questions[1]["choices"].array?.first?["count"] == 4)
        #expect(results["drop_off"].array?.first?["stopped"] == 3)
        let submitted = try world.send(.get, "/v1/apps/app/results/\(Self.slug)?submitted_only=true").json
        #expect(submitted["total_responses"] == 4)
    }

    @Test func aFaultyDefinitionIsRefusedWithEveryFault() throws {
        let later: JSONValue = ["id": "q5", "operation": "equals", "value": 1]
        let broken: JSONValue = [
            "kind": "questionnaire", "name": "",
            "schema": [
                "questions": [
                    ["id": "Q1", "type": "text", "title": " "], ["id": "q2", "type": "stars", "title": "x"],
                    ["id": "q3", "type": "single_choice", "title": "x", "options": [["id": "a", "label": "A"]]],
                    ["id": "q4", "type": "nps", "title": "x", "show_if": later],
                    ["id": "q4", "type": "rating", "title": "x", "scale": 12],
                ]
            ],
        ]
        let answer = try world.send(.put, "/v1/apps/app/recipes/broken", body: broken)
        let found = Set((answer.json["errors"].array ?? []).compactMap { $0["code"].string })
        #expect(answer.status == 422)
        #expect(
            found.isSuperset(of: ["length", "identifier", "blank", "choice", "reference", "range"]), "\(answer.json)")
    }

    @Test func thirtyOneQuestionsAreTooMany() throws {
        let questions = (0..<31).map { JSONValue.object(["id": .string("q\($0)"), "type": "nps", "title": "x"]) }
        let definition: JSONValue = ["kind": "questionnaire", "schema": ["questions": .array(questions)]]
        #expect(try world.send(.put, "/v1/apps/app/recipes/long", body: definition).status == 422)
    }
}

/// The consequences of a response: notifications, clean-up, erasure.
@Suite struct ResponseConsequenceTests {
    private func world(_ more: JSONObject) throws -> WorkerUnderTest {
        try WorkerUnderTest(recipes: [QuestionnaireTests.slug: QuestionnaireTests.definition(more)])
    }

    private let path = "/v1/apps/app/questionnaires/\(QuestionnaireTests.slug)/responses"

    @Test func aSubmissionIsToldOfOnce() throws {
        let world = try world(["notify": ["url": "https://hooks.example/owl", "secret_name": "s"]])
        let submit: JSONValue = ["client_id": "c1", "answers": ["q2": "yes", "q5": 9], "is_complete": true]
        #expect(try world.send(.post, path, body: submit).status == 201)
        _ = try world.send(.post, path, body: submit)
        var development = submit.object ?? [:]
        (development["client_id"], development["is_dev"]) = ("c2", true)
        _ = try world.send(.post, path, body: .object(development))
        let rows = try world.store.readOutbox(OutboxQuery(app: "app", limit: 10))
        #expect(rows.count == 1 && rows.first?.url == "https://hooks.example/owl" && rows.first?.secretName == "s")
        #expect(rows.first?.trace == nil)
        let body = try JSONValue(parsing: rows.first?.body ?? [])
        #expect(body["type"] == "questionnaire.response_new" && body["data"]["summary"] == "9")
    }

    @Test func `A notification belongs to the trace of the submission`() throws {
        let world = try world(["notify": ["url": "https://hooks.example/owl"]])
        let submit: JSONValue = ["client_id": "c1", "answers": ["q2": "yes", "q5": 9], "is_complete": true]
        let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        let answer = try world.send(
            .post, path, headers: [("traceparent", parent), ("tracestate", "a=1"), ("tracestate", "b=2")], body: submit)
        #expect(answer.status == 201)
        let rows = try world.store.readOutbox(OutboxQuery(app: "app", limit: 10))
        #expect(rows.map(\.trace?.stored) == [parent + " a=1, b=2"])
    }

    private func cleanUp(_ world: WorkerUnderTest, retentionDays: Int? = nil) throws {
        let app = try #require(world.worker.snapshot.apps["app"])
        let rules = CleanUpRuns.rules(for: app, retentionDays: retentionDays)
        CleanUpRuns(in: world.worker.services.persistence, now: world.now).run(rules)
    }

    @Test func aRunGoesWithItsRetention() throws {
        let world = try world(["retention_days": 3])
        _ = try world.send(
            .post, path, body: ["client_id": "c1", "answers": ["q2": "yes"], "is_complete": true])
        world.pass(seconds: 3 * 86_400)
        try cleanUp(world, retentionDays: 10)
        #expect(try world.send(.get, path).json["items"].array?.count == 1)
        world.pass(seconds: 1)
        try cleanUp(world, retentionDays: 10)
        #expect(try world.send(.get, path).json["items"] == [])
        let again = try world.send(
            .post, path, body: ["client_id": "c1", "answers": ["q2": "yes"], "is_complete": true])
        #expect(again.json["errors"][0]["code"] == "already_responded")
    }

    /// Drafts in any order, some of them twice: the last saved answer to each question counts.
    @Test(arguments: 0..<40)
    func anyOrderOfDraftsGivesTheSameAnswers(_ seed: UInt64) throws {
        let world = try world([:])
        var generator = SeededGenerator(seed: seed)
        let saves: [JSONObject] = [["q1": "x"], ["q2": "yes"], ["q4": 3], ["q5": 9], ["q3": ["a"]]]
        let order = (saves + saves.prefix(Int(generator.next() % 5))).shuffled(using: &generator)
        for answers in order {
            let draft = try world.send(.post, path, body: ["client_id": "c1", "answers": .object(answers)])
            #expect(draft.status < 300, "\(draft.json)")
        }
        let final = try world.send(.post, path, body: ["client_id": "c1", "answers": [:], "is_complete": true])
        #expect(final.json["was_submitted"] == true)
        let answers = try world.send(.get, path).json["items"][0]["answers"].object ?? [:]
        #expect(Set(answers.keys) == ["q1", "q2", "q3", "q4", "q5"])
        #expect(answers["q3"] == ["a"] && answers["q4"] == 3)
    }

    @Test func aLeaseIsOneHolders() throws {
        let world = try world([:])
        let store = world.worker.services.persistence
        func take(_ holder: String) -> Bool {
            let taken = Mutex(false)
            store.submit(Lease.taking("job", holder: Identifier(holder), seconds: 60, now: world.now)) { result in
                if case .success(let isTaken) = result { taken.withLock { $0 = isTaken } }
            }
            return taken.withLock { $0 }
        }
        #expect(take("a") && take("a") && !take("b"))
        world.pass(seconds: 61)
        #expect(take("b") && !take("a"))
    }

    /// A daemon that restarts within the hour runs the clean-up again.
    @Test func theCleanUpGivesItsLeaseBack() throws {
        let world = try world([:])
        let store = world.worker.services.persistence
        let app = try #require(world.worker.snapshot.apps["app"])
        func cleanUp(_ holder: String) -> Bool {
            let wasDone = Mutex(false)
            let rules = CleanUpRuns.rules(for: app, retentionDays: nil)
            CleanUpRuns(in: store, now: world.now).run(rules, holding: Identifier(holder)) { done in
                wasDone.withLock { $0 = done }
            }
            return wasDone.withLock { $0 }
        }
        _ = try world.send(.post, path, body: ["client_id": "c1", "answers": ["q1": "x"]])
        world.pass(seconds: 90 * 86_400)
        #expect(cleanUp("before"))
        #expect(try world.send(.get, path).json["items"].array?.count == 1)
        world.pass(seconds: 60)
        #expect(cleanUp("after"))
        #expect(try world.send(.get, path).json["items"] == [])
        store.submit(Lease.taking("runs.clean-up", holder: "dead", seconds: 3_600, now: world.now)) { _ in }
        #expect(!cleanUp("other"))
        world.pass(seconds: 3_600)
        #expect(cleanUp("other"))
    }

    @Test(arguments: [(90 * 86_400 - 1, true), (90 * 86_400, true), (90 * 86_400 + 1, false)] as [(Int64, Bool)])
    func aDraftIsDeletedAfterNinetyDays(_ seconds: Int64, _ isKept: Bool) throws {
        let world = try world([:])
        _ = try world.send(.post, path, body: ["client_id": "c1", "answers": ["q1": "x"]])
        let submit: JSONValue = ["client_id": "c2", "answers": ["q2": "yes"], "is_complete": true]
        _ = try world.send(.post, path, body: submit)
        world.pass(seconds: seconds)
        try cleanUp(world)
        let items = try world.send(.get, path).json["items"].array ?? []
        #expect(items.count == (isKept ? 2 : 1))
    }

    /// A failing store ends the clean-up, which does not retry forever.
    @Test func aFailingStoreEndsTheCleanUp() throws {
        let world = try world([:])
        for number in 0..<500 {
            _ = try world.send(.post, path, body: ["client_id": .string("c\(number)"), "answers": ["q1": "x"]])
        }
        world.pass(seconds: 91 * 86_400)
        world.store.failWrites(.unavailable("told to"))
        try cleanUp(world)
        world.store.failWrites(nil)
        #expect(try world.send(.get, path + "?limit=200").json["items"].array?.count == 200)
        try cleanUp(world)
        #expect(try world.send(.get, path).json["items"] == [])
    }

    @Test func anErasedClientHasNoAnswersLeft() throws {
        let world = try world([:])
        let id = try world.send(.post, path, body: ["client_id": "c1", "answers": ["q1": "x"]]).json["id"].string ?? ""
        #expect(try world.send(.delete, "/v1/apps/app/clients/c1").status == 204)
        #expect(try world.send(.get, "/v1/apps/app/responses/\(id)").status == 404)
        let fetched = try world.send(.get, "/v1/apps/app/questionnaires/weekly?client_id=c1").json
        #expect(fetched["in_progress"] == .null)
    }
}
