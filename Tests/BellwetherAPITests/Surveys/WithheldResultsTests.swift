import BellwetherJSON
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI

/// The results for a reader who may not read responses, and the names that results accept
/// (docs/reference/surveys.md#results).
@Suite struct WithheldResultsTests {
    private static let manifest: JSONValue = [
        "app_name": "app", "default_locale": "en", "surfaces": ["card"],
        "attributes": ["plan": "string", "country": "string"],
    ]
    private static let path = "/v1/apps/app/"

    private static func recipe(keep: JSONValue) -> JSONValue {
        [
            "kind": "questionnaire", "name": "Q", "keep": keep,
            "schema": [
                "version": 1,
                "questions": [
                    ["id": "score", "type": "nps", "title": "How likely?"],
                    ["id": "words", "type": "text", "title": "Why?"],
                ],
            ],
        ]
    }

    private static let flow: JSONValue = [
        "kind": "flow", "id": "tour",
        "steps": [
            [
                "id": "goal", "type": "question",
                "config": [
                    "title": "T/Goal", "options": [["id": "a", "label": "T/Run"], ["id": "b", "label": "Swim"]],
                ],
            ],
            ["id": "end", "type": "welcome", "config": ["title": "Welcome"]],
        ],
    ]

    private let world: WorkerUnderTest

    init() throws {
        world = try WorkerUnderTest(
            manifest: Self.manifest, recipes: ["tour": Self.flow], settings: try RunResultsTests.settings())
        #expect(try send(.put, "recipes/q", as: "ann", Self.recipe(keep: ["plan"])).status == 201)
    }

    private func send(
        _ method: HTTPMethod, _ path: String, as name: String, _ body: JSONValue? = nil
    ) throws -> RecordedResponse {
        try world.send(method, Self.path + path, headers: [("Authorization", "Bearer \(name)")], body: body)
    }

    private func answer(_ client: String, _ score: Int64, plan: String) throws {
        let body: JSONValue = [
            "client_id": .string(client), "answers": ["score": .integer(score)], "is_complete": true,
            "attributes": ["plan": .string(plan)],
        ]
        #expect(try send(.post, "questionnaires/q/responses", as: "page", body).status == 201)
    }

    private func answerFour() throws {
        for client in ["a", "b", "c"] { try answer(client, 9, plan: "pro") }
        try answer("d", 2, plan: "x13")
    }

    private func numbers(in value: JSONValue) -> [String] {
        switch value {
        case .object(let members):
            members.flatMap { key, value in
                ["value", "minimum_cell", "revision", "limit"].contains(key)
                    ? [] : numbers(in: value).map { "\(key) \($0)" }
            }
        case .array(let values): values.flatMap(numbers)
        case .integer, .number: [value.text]
        default: []
        }
    }

    /// With one response, all counts except one would be 0, which reveals the person's answer.
    @Test func `Of fewer responses than the minimum no count is shown, no zero either`() throws {
        try answerFour()
        let few = try send(.get, "results/q?attr.plan=x13", as: "rita").json
        #expect(numbers(in: few).isEmpty, "\(few.text)")
        #expect(few["days"] == [] && few["questions"][0]["title"] == "How likely?")
        let csv = try send(.get, "results/q?attr.plan=x13&format=csv", as: "rita")
        #expect(String(decoding: csv.body, as: UTF8.self).contains(",score,nps,value,,,,2"))
        #expect(try send(.get, "results/q?attr.plan=x13", as: "sue").json["questions"][0]["score"] == -100)
        #expect(try send(.get, "results/q?attr.plan=pro", as: "rita").json["questions"][0]["promoters"] == 3)
    }

    @Test func `A question that few have answered has no counts`() throws {
        try answerFour()
        let save: JSONValue = ["client_id": "e", "answers": ["words": "x"]]
        #expect(try send(.post, "questionnaires/q/responses", as: "page", save).status == 201)
        let json = try send(.get, "results/q", as: "rita").json
        #expect(json["total_responses"] == 5 && json["questions"][1]["total_answered"] == .null)
        #expect(json["questions"][0]["buckets"][0]["count"] == 0)
    }

    /// The sum of a question's options and of its former options is known: a single withheld count would be found.
    @Test func `A former option that few chose withholds the smallest option of its question`() throws {
        func publish(_ options: [String]) throws {
            let question: JSONValue = [
                "id": "one", "type": "single_choice", "title": "Which?",
                "options": .array(options.map { ["id": .string($0), "label": .string($0)] }),
            ]
            let recipe: JSONValue = [
                "kind": "questionnaire", "name": "Q", "schema": ["version": 1, "questions": [question]],
            ]
            #expect(try send(.put, "recipes/options", as: "ann", recipe).status < 300)
        }
        func answer(_ count: Int, _ option: String) throws {
            for number in 0..<count {
                let body: JSONValue = [
                    "client_id": .string("\(option)\(number)"), "answers": ["one": .string(option)],
                    "is_complete": true,
                ]
                #expect(try send(.post, "questionnaires/options/responses", as: "page", body).status == 201)
            }
        }
        try publish(["a", "b", "gone"])
        try answer(1, "gone")
        try publish(["a", "b"])
        try answer(3, "a")
        try answer(4, "b")
        let all = try send(.get, "results/options", as: "sue").json
        #expect(all["other_revisions"] == [["id": "one", "choices": [["id": "gone", "count": 1]]]])
        let few = try send(.get, "results/options", as: "rita").json
        #expect(few["questions"][0]["total_answered"] == 8)
        #expect(few["questions"][0]["choices"].array?.map { $0["count"] } == [.null, 4], "\(few.text)")
        #expect(few["questions"][0]["choices"][0]["withheld"] == true)
        #expect(!few.text.contains("gone"))
        let csv = String(
            decoding: try send(.get, "results/options?format=csv", as: "rita").body, as: UTF8.self)
        #expect(csv.contains(",option,b,b,4") && !csv.contains(",option,a,a,3") && !csv.contains("gone"), "\(csv)")
    }

    @Test func `The list of recipes withholds counts of few, too`() throws {
        try answer("a", 9, plan: "pro")
        func counts(_ name: String) throws -> JSONValue {
            let recipes = try send(.get, "recipes?counts=true", as: name).json["recipes"].array ?? []
            return recipes.first { $0["slug"] == "q" }?["counts"] ?? .null
        }
        let withheld: JSONValue = ["started": .null, "submitted": .null, "last_at": .null, "withheld": true]
        #expect(try counts("rita") == withheld)
        #expect(try counts("sue")["started"] == 1)
        for client in ["b", "c"] { try answer(client, 9, plan: "pro") }
        #expect(try counts("rita")["started"] == 3)
    }

    @Test func `Names that neither the recipe nor a response has are refused`() throws {
        try answerFour()
        func fault(_ rest: String) throws -> (status: Int, pointer: String?, message: String) {
            let answer = try send(.get, rest, as: "sue")
            let error = answer.json["errors"][0]
            return (answer.status, error["pointer"].string, error["message"].string ?? "")
        }
        for (query, parameter) in [("by=nope", "by"), ("attr.nope=x", "attr.nope"), ("branch=x", "branch")] {
            let found = try fault("results/q?\(query)")
            #expect(found.status == 400 && found.pointer == "/\(parameter)", "\(query): \(found)")
        }
        #expect(try fault("results/q?by=nope").message.contains("it keeps: plan"))
        let list = try fault("questionnaires/q/responses?question=nope")
        #expect(list.status == 400 && list.message.contains("score, words"), "\(list)")
        #expect(try fault("questionnaires/q/responses?attr.nope=x").status == 400)
        #expect(try fault("flows/tour/runs?question=nope").message.contains("selected"))
        for path in ["questionnaires/q/responses", "questionnaires/q/responses?export=true", "flows/tour/runs"] {
            for name in ["branch", "experiment"] {
                let found = try fault(path + (path.contains("?") ? "&" : "?") + "\(name)=nope")
                #expect(found.status == 400 && found.pointer == "/\(name)", "\(path): \(found)")
            }
        }
        for known in [
            "results/q?by=plan", "results/q?by=branch", "results/tour?by=source", "results/tour?attr.campaign=x",
            "questionnaires/q/responses?question=words&attr.plan=pro", "flows/tour/runs?question=selected",
        ] { #expect(try fault(known).status == 200, "\(known)") }
    }

    @Test func `Responses are listed by a branch that an experiment has`() throws {
        let experiment = NimbusRecipe.experiment("e", ["a": [:], "b": [:]], ["appName": "app"])
        #expect(try send(.put, "recipes/e", as: "ann", experiment).status == 201)
        for query in ["branch=a", "branch=e/b", "experiment=e", "experiment=e&branch=a"] {
            let list = try send(.get, "questionnaires/q/responses?\(query)", as: "sue")
            #expect(list.status == 200 && list.json["items"] == [], "\(query): \(list.json.text)")
        }
        let wrong = try send(.get, "questionnaires/q/responses?experiment=e&branch=c", as: "sue").json["errors"]
        #expect(wrong.array?.count == 1 && wrong[0]["message"].string?.contains("no experiment has the branch") == true)
    }

    @Test func `Names of an earlier revision are known`() throws {
        try answerFour()
        var next = Self.recipe(keep: ["country"]).object ?? [:]
        next["schema"] = ["version": 1, "questions": [["id": "other", "type": "text", "title": "?"]]]
        let put = try send(.put, "recipes/q", as: "ann", .object(next))
        #expect(put.status < 300, "\(put.json.text)")
        #expect(try send(.get, "results/q?by=plan", as: "sue").json["by"]["groups"][0]["value"] == "pro")
        #expect(try send(.get, "results/q?by=country", as: "sue").json["by"]["groups"] == [])
        let list = try send(.get, "questionnaires/q/responses?question=score&attr.plan=x13", as: "sue")
        #expect(list.json["items"].array?.count == 1)
    }

    @Test func `A flow's results have titles and labels, as JSON and as CSV`() throws {
        let texts: JSONValue = ["T": ["Goal": "Your goal?", "Run": "Running"]]
        #expect(try send(.put, "strings/en", as: "ann", texts).status < 300)
        for (client, choice) in [("a", "a"), ("b", "a"), ("c", "b")] {
            let start = try send(.post, "flows/tour/runs", as: "page", ["client_id": .string(client)])
            let run = try #require(start.json["run_id"].string)
            for (step, response) in [("goal", ["selected": [.string(choice)]]), ("end", [:])] as [(String, JSONValue)] {
                let body: JSONValue = ["step_id": .string(step), "response": response]
                #expect(try send(.post, "runs/\(run)/advance", as: "page", body).status == 200)
                if client == "c" { break }
            }
        }
        let json = try send(.get, "results/tour", as: "sue").json
        #expect(json["steps"][0]["title"] == "Your goal?" && json["questions"][0]["title"] == "Your goal?")
        let choices: JSONValue = [
            ["id": "a", "label": "Running", "count": 2], ["id": "b", "label": "Swim", "count": 1],
        ]
        #expect(json["questions"][0]["choices"] == choices)
        let csv = String(decoding: try send(.get, "results/tour?format=csv", as: "sue").body, as: UTF8.self)
        for line in [
            ",,,active,,,1,", ",,,completed,,,2,", ",,,outcome,finished,,2,", ",goal,step,mean_ms,,Your goal?,,0",
            ",/goal/selected,,option,a,Running,2,", ",/goal/selected,,answers,,Your goal?,3,",
        ] { #expect(csv.contains(line), "\(line) in \(csv)") }
        let runs = try send(.get, "flows/tour/runs", as: "sue").json["items"].array ?? []
        #expect(runs.allSatisfy { $0["texts"][0]["question"] == "Your goal?" })
        #expect(Set(runs.map { $0["texts"][0]["answer"].string }) == ["Running", "Swim"])
    }

    @Test func `What there is no recipe of, and what has no responses, is told apart`() throws {
        let message: JSONValue = ["messages": ["m": ["surface": "card", "text": "Hello"]]]
        #expect(try send(.put, "recipes/m", as: "ann", message).status == 201)
        #expect(try send(.get, "results/nope", as: "sue").json["detail"] == "There is no recipe \"nope\".")
        let detail = try send(.get, "questionnaires/m/responses", as: "sue").json["detail"].string ?? ""
        #expect(detail == "The recipe \"m\" has messages: it has results, and no responses.")
    }
}
