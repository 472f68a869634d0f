import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI

/// Results of runs for owners: filters, distributions, limits, and the data that is withheld
/// (docs/reference/surveys.md#results).
@Suite struct RunResultsTests {
    private static let path = "/v1/apps/app/results/"

    private static let survey: JSONValue = [
        "kind": "survey", "keep": ["plan"],
        "questions": [
            ["id": "born", "question": "?", "question_type": "year_picker", "required": false],
            ["id": "day", "question": "?", "question_type": "date_picker", "required": false],
            [
                "id": "size", "question": "?", "question_type": "single_text_field", "input_type": "number",
                "required": false,
            ],
            [
                "id": "height", "question": "?", "question_type": "dynamic_label_text_field", "required": false,
                "label_options": [["ft", "in"], "cm"],
            ],
            [
                "id": "table", "question": "?", "question_type": "table_select", "required": false,
                "options": ["good", "bad"],
                "table_questions": [["id": "r1", "title": "One"], ["id": "r2", "title": "Two"]],
            ],
        ],
        "offer": [
            "surface": "card", "text": "A minute?",
            "pacing": [
                "response_limit": 50,
                "quotas": [["name": "old", "when": ["ref": "answer.born", "op": "eq", "value": "1970"], "limit": 4]],
            ],
        ],
    ]

    private static let manifest: JSONValue = [
        "app_name": "app", "default_locale": "en", "surfaces": ["card", "microsurvey"],
        "attributes": ["plan": "string"],
    ]

    /// Tokens of several scopes: `rita` may read results; `sue` may also read responses.
    static func settings() throws -> APISettings {
        var settings = APISettings()
        settings.minimumCell = 3
        let scopes = [("page", "client:app"), ("rita", "reader:app"), ("sue", "support:app"), ("ann", "owner:app")]
        settings.tokens = TokenTable(
            try scopes.map { name, scope in
                let digest = SHA256.hash(Array(name.utf8)).map {
                    String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
                }
                return try Token("\(name):\(scope):\(digest.joined())")
            })
        return settings
    }

    private let world: WorkerUnderTest

    init() throws {
        world = try WorkerUnderTest(
            manifest: Self.manifest,
            recipes: ["body": Self.survey, QuestionnaireTests.slug: QuestionnaireTests.definition()],
            settings: try Self.settings())
    }

    private func answer(
        _ client: String, _ answers: JSONValue, to slug: String = "body", plan: String = "pro"
    ) throws {
        let kind = slug == "body" ? "surveys" : "questionnaires"
        let answer = try world.send(
            .post, "/v1/apps/app/\(kind)/\(slug)/responses", headers: [("Authorization", "Bearer page")],
            body: [
                "client_id": .string(client), "answers": answers, "is_complete": true,
                "attributes": ["plan": .string(plan)],
            ])
        guard answer.status == 201 else { throw Failure("\(answer.status) \(answer.json.text)") }
    }

    private func results(_ rest: String = "body", by name: String = "sue") throws -> RecordedResponse {
        try world.send(.get, Self.path + rest, headers: [("Authorization", "Bearer \(name)")])
    }

    @Test func `Numbers, years, dates, units and table rows have distributions`() throws {
        for (client, year) in zip(["a", "b", "c"], ["1970", "1970", "1999"]) {
            try answer(
                client,
                [
                    "born": .string(year), "day": .string("\(year)-05-17"),
                    "size": client == "c" ? "1234.5" : "7",
                    "height": client == "a" ? ["cm": "180"] : ["ft": "5", "in": "11"],
                    "table": ["r1": "good", "r2": client == "a" ? "bad" : "good"],
                ])
        }
        let questions = try results().json["questions"]
        let years: JSONValue = [["value": 1970, "count": 2], ["value": 1999, "count": 1]]
        #expect(questions[0]["distribution"] == ["kind": "number", "median": 1970, "buckets": years])
        let months: JSONValue = [["value": "1970-05", "count": 2], ["value": "1999-05", "count": 1]]
        #expect(questions[1]["distribution"] == ["kind": "month", "buckets": months])
        #expect(
            questions[2]["distribution"]["buckets"] == [["value": 7, "count": 2], ["value": 1200, "count": 1]])
        #expect(
            questions[3]["units"] == [["labels": "cm", "count": 1], ["labels": "ft, in", "count": 2]])
        #expect(questions[3]["amounts"][0]["label"] == "cm" && questions[3]["amounts"][0]["median"] == 180)
        #expect(questions[4]["rows"][1]["choices"] == [["id": "bad", "count": 1], ["id": "good", "count": 2]])
        let csv = String(decoding: try results("body?format=csv").body, as: UTF8.self)
        #expect(csv.contains(",born,year_picker,value,,,2,1970") && csv.contains(",row,bad,r2,1,"))
    }

    @Test func `Quotas and the limit say how full they are`() throws {
        for (client, year) in zip(["a", "b", "c"], ["1970", "1970", "1999"]) {
            try answer(client, ["born": .string(year)])
        }
        let json = try results().json
        #expect(json["quotas"] == [["name": "old", "taken": 2, "limit": 4]])
        #expect(json["response_limit"] == ["taken": 3, "limit": 50])
    }

    @Test func `Results of days are of the runs that began on them`() throws {
        for (client, pause) in [("a", 0), ("b", 86_400), ("c", 86_400)] {
            world.pass(seconds: Int64(pause))
            try answer(client, ["born": "1970"])
        }
        func total(_ query: String) throws -> JSONValue { try results("body?" + query).json["total_responses"] }
        #expect(try total("from=2026-03-11") == 2)
        #expect(try total("to=2026-03-11") == 2)
        #expect(try total("from=2026-03-11&to=2026-03-11") == 1)
        #expect(try results("body?branch=none").status == 400)
        let days = try results().json["days"]
        #expect(days.array?.count == 3 && days[0] == ["day": "2026-03-10", "started": 1, "submitted": 1])
        #expect(try results("body?from=2026-03-12&to=2026-03-11").status == 400)
        #expect(try results("body?from=yesterday").json["errors"][0]["code"] == "pattern")
    }

    /// A reader who may read results but no responses sees no small count and no text.
    @Test func `Small counts are withheld from who may not read responses`() throws {
        for (client, choice) in zip(["a", "b", "c", "d"], ["yes", "yes", "yes", "no"]) {
            try answer(client, ["q1": "my words", "q2": .string(choice), "q4": 2], to: QuestionnaireTests.slug)
        }
        let shown = try results(QuestionnaireTests.slug).json
        #expect(shown["questions"][1]["choices"][1]["count"] == 1 && shown["minimum_cell"] == 3)
        let answer = try results(QuestionnaireTests.slug, by: "rita")
        #expect(answer.status == 200 && !String(decoding: answer.body, as: UTF8.self).contains("my words"))
        let json = answer.json
        #expect(json["minimum_cell"] == 3 && json["total_responses"] == 4)
        let choices = json["questions"][1]["choices"]
        #expect(choices[0]["count"] == .null && choices[0]["withheld"] == true)
        #expect(choices[1]["count"] == .null && choices[1]["withheld"] == true)
        #expect(json["questions"][3]["average"] == 2)
        let csv = try results(QuestionnaireTests.slug + "?format=csv", by: "rita")
        #expect(!String(decoding: csv.body, as: UTF8.self).contains("option,no,No,1"))
    }

    @Test func `Results are filtered and broken down by a kept attribute`() throws {
        for (client, plan) in zip(["a", "b", "c", "d"], ["pro", "pro", "pro", "free"]) {
            try answer(client, ["born": plan == "pro" ? "1970" : "1999", "size": "7"], plan: plan)
        }
        let breakdown = try results("body?by=plan").json["by"]
        #expect(breakdown["attribute"] == "plan" && breakdown["is_complete"] == true)
        let groups = breakdown["groups"].array ?? []
        #expect(groups.map { $0["value"] } == ["pro", "free"] && groups.map { $0["total_responses"] } == [3, 1])
        #expect(groups[1]["questions"][0]["distribution"]["buckets"] == [["value": 1999, "count": 1]])
        #expect(try results("body?attr.plan=free").json["total_responses"] == 1)
        #expect(try results("body?attr.plan=other").json["total_responses"] == 0)
        #expect(try results("body?by=country").status == 400)
        #expect(try results("body?attr.plan=free&by=plan").json["errors"][0]["code"] == "conflict")
        #expect(groups[1]["questions"][2]["recent_answers"].array?.count == 1)
        #expect(try results("body?submitted_only=maybe").json["errors"][0]["code"] == "choice")
        let enrollment: JSONValue = ["branches": [], "since": .null, "is_complete": true]
        #expect(try results("body?enrollment=true").json["enrollment"] == enrollment)
        let csv = String(decoding: try results("body?by=plan&format=csv").body, as: UTF8.self)
        #expect(csv.contains("plan=free,,,responses,,,1"))
    }

    /// A value of an attribute may identify one person.
    @Test func `Groups of few are left out for who may not read responses`() throws {
        for (client, plan) in zip(["a", "b", "c", "d"], ["pro", "pro", "pro", "free"]) {
            try answer(client, ["born": "1970"], plan: plan)
        }
        let groups = try results("body?by=plan", by: "rita").json["by"]["groups"]
        // The count of the other group would be the difference to all responses.
        #expect(groups == [])
        let few = try results("body?attr.plan=free", by: "rita").json
        #expect(few["total_responses"] == .null && few["questions"][0]["total_answered"] == .null)
    }

    @Test func `What few gave is not among the values`() throws {
        for (client, year) in zip(["a", "b", "c", "d"], ["1970", "1970", "1970", "1999"]) {
            try answer(client, ["born": .string(year)])
        }
        let distribution = try results(by: "rita").json["questions"][0]["distribution"]
        #expect(distribution["buckets"] == [] && distribution["median"] == .null)
    }

    @Test func `An answer that has not changed is told by its tag`() throws {
        try answer("a", ["born": "1970"])
        let first = try results()
        let line = try #require(first.headers.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") })
        let headers = [("Authorization", "Bearer sue"), ("If-None-Match", String(line.dropFirst(6)))]
        #expect(try world.send(.get, Self.path + "body", headers: headers).status == 304)
        try answer("b", ["born": "1970"])
        #expect(try world.send(.get, Self.path + "body", headers: headers).json["total_responses"] == 2)
    }

    /// The counts of people and of visits, the conversion from step to step, and the counts of options.
    @Test func `A flow's results count runs beside visits`() throws {
        let world = try WorkerUnderTest(recipes: [:])
        let flow: JSONValue = [
            "kind": "flow", "id": "tour", "name": "Tour",
            "steps": [
                [
                    "id": "goal", "type": "question",
                    "config": ["title": "Goal?", "options": [["id": "lose"], ["id": "build"]]],
                ],
                [
                    "id": "body", "type": "form",
                    "config": ["title": "B", "fields": [["id": "age", "type": "number", "label": "Age"]]],
                ],
            ],
        ]
        #expect(try world.send(.put, "/v1/apps/app/recipes/tour", body: flow).status < 300)
        func begin(_ client: String) throws -> String {
            let body: JSONValue = ["client_id": .string(client)]
            return try world.send(.post, "/v1/apps/app/flows/tour/runs", body: body).json["run_id"].string
                ?? world.send(.post, "/v1/apps/app/flows/tour/runs", body: body).json["id"].string ?? ""
        }
        func advance(_ run: String, _ step: String, _ action: String, _ response: JSONValue = [:]) throws {
            let body: JSONValue = ["step_id": .string(step), "response": response, "action": .string(action)]
            let answer = try world.send(.post, "/v1/apps/app/runs/\(run)/advance", body: body)
            #expect(answer.status == 200, "\(answer.json)")
        }
        let (first, second) = (try begin("a"), try begin("b"))
        try advance(first, "goal", "next", ["selected": ["lose"]])
        try advance(first, "body", "back")
        try advance(first, "goal", "next", ["selected": ["build"]])
        try advance(first, "body", "next", ["age": 34])
        try advance(second, "goal", "next", ["selected": ["build"]])
        let json = try world.send(.get, Self.path + "tour").json
        let step = json["steps"][0]
        #expect(step["runs"] == 2 && step["viewed"] == 3 && step["completed"] == 3 && step["completed_runs"] == 2)
        #expect(step["next"] == [["id": "body", "runs": 2]] && step["conversion"] == 1.0)
        #expect(json["steps"][1]["conversion"] == 0.5 && json["steps"][1]["stopped"] == 1)
        let choices: JSONValue = [
            ["id": "lose", "label": "lose", "count": 0], ["id": "build", "label": "build", "count": 2],
        ]
        #expect(json["questions"][0]["choices"] == choices)
        #expect(json["questions"][1]["distribution"]["buckets"] == [["value": 34, "count": 1]])
        let done = try world.send(.get, Self.path + "tour?submitted_only=true").json
        #expect(done["total_runs"] == 1 && done["completed"] == 1)
    }
}
