import BellwetherAuthoring
import BellwetherBase
import BellwetherCore
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import Testing

@testable import BellwetherAPI

/// The output of results, from the counts of a store.
struct ResultsRouteTests {
    private static let recipe: JSONValue = [
        "messages": [
            "m": [
                "surface": "microsurvey", "text": "?",
                "microsurveyConfig": ["options": .array((0...10).map { .string(String($0)) })],
            ]
        ]
    ]

    private static func worker(minimum: Int = 1, options: [(String, String, Int)]) throws -> WorkerUnderTest {
        var settings = APISettings.open
        settings.minimumCell = minimum
        let test = try WorkerUnderTest(recipes: ["r": recipe], settings: settings)
        var tally = AnswerTally()
        for (option, locale, count) in options {
            for _ in 0..<count {
                tally.add(
                    TalliedAnswer(
                        optionID: Identifier(option), optionIndex: 0, branch: nil, locale: locale,
                        at: Timestamp(seconds: 0)))
            }
        }
        test.store.answerResults(
            ResultsReading(messages: [
                MessageReading(
                    key: "m", answers: (tally, true), funnel: [], wholeFunnel: FunnelTally(branch: nil, counts: []),
                    coverage: .since(Timestamp(seconds: 60))),
                MessageReading(
                    key: "draft", answers: (AnswerTally(), true), funnel: [],
                    wholeFunnel: FunnelTally(branch: nil, counts: []), coverage: .everything),
            ]))
        return test
    }

    private static let path = "/v1/apps/app/results/r"

    @Test func `A table begins with a byte order mark where one is wanted`() throws {
        let test = try Self.worker(options: [("10", "en", 2)])
        let plain = try test.send(.get, Self.path + "?format=csv").body
        let marked = try test.send(.get, Self.path + "?format=csv&bom=true").body
        #expect(marked == [0xEF, 0xBB, 0xBF] + plain)
        #expect(try test.send(.get, Self.path + "?format=csv&bom=false").body == plain)
        #expect(try test.send(.get, Self.path + "?bom=true").json["recipe"] == "r")
        #expect(try test.send(.get, Self.path + "?format=csv&bom=x").status == 400)
    }

    @Test func promotersAndTheirScoreAreTold() throws {
        let test = try Self.worker(options: [("10", "en", 2), ("8", "en", 1), ("6", "de", 1)])
        let json = try test.send(.get, Self.path).json
        #expect(json["recipe"] == "r")
        #expect(json["state"] == "live")
        // A message that was never served is left out.
        #expect(json["messages"].array?.count == 1)
        let message = json["messages"][0]
        #expect(message["scale"] == "nps")
        #expect(message["all"]["nps"]["value"] == 25.0)
        #expect(message["all"]["nps"]["promoters"] == 2)
        #expect(message["all"]["mean"]["value"] == 8.5)
        #expect(message["options"][10] == ["option": "10", "index": 10, "text": "10", "value": 10])
        #expect(
            message["all"]["options"][10] == [
                "option": "10", "count": 2, "share": 0.5, "interval": [0.150039, 0.849961],
            ])
        #expect(message["days"][0]["day"] == "1970-01-01")
        #expect(message["funnel"]["is_complete"] == false)
        #expect(message["funnel"]["since"] == "1970-01-01T00:01:00Z")
    }

    private static let experiment: JSONValue = [
        "schemaVersion": "1.12.0", "slug": "e", "userFacingName": "E", "userFacingDescription": "D",
        "isEnrollmentPaused": false, "proposedEnrollment": 7,
        "bucketConfig": ["randomizationUnit": "nimbus_id", "namespace": "n", "start": 0, "count": 1],
        "branches": [["slug": "control", "ratio": 2], ["slug": "new", "ratio": 1]],
    ]

    @Test func `Enrolled clients stand beside what was planned`() throws {
        var settings = APISettings.open
        settings.minimumCell = 5
        let test = try WorkerUnderTest(recipes: ["r": Self.recipe, "e": Self.experiment], settings: settings)
        test.store.answerResults(
            ResultsReading(
                messages: nil,
                enrollment: EnrollmentReading(
                    clients: ["control": 20, "new": 3, "gone": 7], coverage: .since(Timestamp(seconds: 60)))))
        let json = try test.send(.get, "/v1/apps/app/results/e?enrollment=true").json
        let expected: JSONValue = [
            "is_complete": false, "since": "1970-01-01T00:01:00Z",
            "branches": [
                ["branch": "control", "ratio": 2, "enrolled": 20],
                ["branch": "new", "ratio": 1, "enrolled": nil, "withheld": true],
                ["branch": "gone", "ratio": nil, "enrolled": 7],
            ],
        ]
        #expect(json["enrollment"] == expected && json["messages"] == [])
        let csv = try test.send(.get, "/v1/apps/app/results/e?enrollment=true&format=csv")
        #expect(String(decoding: csv.body, as: UTF8.self).contains("branch,control,enrolled,,,,20,2"))
    }

    private static func branch(_ slug: String, _ key: String, _ message: JSONObject) -> JSONValue {
        var message = message
        (message["surface"], message["experiment"]) = ("microsurvey", "{experiment}")
        return [
            "slug": .string(slug), "ratio": 1,
            "features": [["featureId": "messaging", "value": ["messages": .object([key: .object(message)])]]],
        ]
    }

    private static func answers(_ branch: String, _ values: [Int: Int]) -> [TalliedAnswer] {
        values.flatMap { value, count in
            (0..<count).map { _ in
                TalliedAnswer(
                    optionID: Identifier(String(value)), optionIndex: value, branch: Identifier(branch), locale: "en",
                    at: Timestamp(seconds: 0)
                )
            }
        }
    }

    /// A control shows nothing, so only those who would have seen a message can be counted.
    @Test func `A control stands among the branches, and means are compared with the reference`() throws {
        let options: JSONObject = [
            "text": "?", "microsurveyConfig": ["options": .array((0...10).map { .string(String($0)) })],
        ]
        var experiment = Self.experiment.object ?? [:]
        experiment["referenceBranch"] = "plain"
        experiment["branches"] = [
            Self.branch("icon", "ask", options), Self.branch("plain", "ask", options),
            Self.branch("control", "ask-control", ["is-control": true]),
        ]
        let test = try WorkerUnderTest(recipes: ["e": .object(experiment)])
        var tally = AnswerTally()
        for answer in Self.answers("icon", [3: 10, 5: 10]) + Self.answers("plain", [2: 10, 4: 10]) { tally.add(answer) }
        func counts(_ shown: Int, _ exposed: Int) -> [FunnelTally.Count] {
            [shown, 0, 0, 0, exposed].map { FunnelTally.Count(events: $0, clients: $0) }
        }
        let funnel = ["icon", "plain"].map { FunnelTally(branch: $0, counts: counts(20, 20)) }
        let control = FunnelTally(branch: "control", counts: counts(0, 17))
        test.store.answerResults(
            ResultsReading(messages: [
                MessageReading(
                    key: "ask", answers: (tally, true), funnel: funnel,
                    wholeFunnel: FunnelTally(branch: nil, counts: counts(40, 40)), coverage: .everything),
                MessageReading(
                    key: "ask-control", answers: (AnswerTally(), true), funnel: [control],
                    wholeFunnel: FunnelTally(branch: nil, counts: control.counts), coverage: .everything),
            ]))
        let json = try test.send(.get, "/v1/apps/app/results/e").json
        #expect(json["reference_branch"] == "plain")
        let lines = json["messages"][0]["funnel"]["branches"].array ?? []
        #expect(lines.map { $0.object?["branch"] } == ["icon", "plain", "control"])
        let line = lines.last?.object ?? [:]
        #expect(line["is_control"] == true && line["control"] == "ask-control")
        #expect(line["exposed"] == ["events": 17, "clients": 17])
        #expect(line["shown"] == ["events": nil, "clients": nil] && line["answered"] == line["shown"])
        let difference = json["messages"][0]["branches"].array?.map { $0.object?["difference"]?.object }
        #expect(difference?[0]?["reference"] == "plain" && difference?[0]?["value"] == 1.0)
        #expect(difference?[0]?["interval"]?.array?.count == 2 && difference?[1] == nil)
        let csv = String(
            decoding: try test.send(.get, "/v1/apps/app/results/e?format=csv").body, as: UTF8.self)
        #expect(csv.contains("ask,branch,control,exposed,,,17,17,"))
        #expect(csv.contains("ask,branch,icon,mean_difference,,plain,,,1.0,"))
        #expect(!csv.contains("ask-control,branch,control,shown"))
    }

    @Test func `A branch that no revision has is refused with those that there are`() throws {
        let test = try WorkerUnderTest()
        #expect(try test.send(.put, "/v1/apps/app/recipes/e", body: Self.experiment).status == 201)
        var next = Self.experiment.object ?? [:]
        next["branches"] = [["slug": "control", "ratio": 2], ["slug": "other", "ratio": 1]]
        #expect(try test.send(.put, "/v1/apps/app/recipes/e", body: .object(next)).status == 200)
        test.store.answerResults(ResultsReading(messages: []))
        for branch in ["control", "other", "new", "e/new"] {
            #expect(try test.send(.get, "/v1/apps/app/results/e?branch=\(branch)").status == 200, "\(branch)")
        }
        let error = try test.send(.get, "/v1/apps/app/results/e?branch=nope").json["errors"][0]
        #expect(error["pointer"] == "/branch" && error["code"] == "choice")
        #expect(error["message"].string?.hasSuffix("there are: control, new, other") == true, "\(error.text)")
    }

    @Test(arguments: ["from=yesterday", "from=2026-02-02&to=2026-02-01", "by=branch", "branch=a&branch=b"])
    func `A filter that cannot be is refused`(_ query: String) throws {
        #expect(try Self.worker(options: []).send(.get, Self.path + "?" + query).status == 400)
    }

    @Test func whatIsWithheldIsNullAndSaysSo() throws {
        let test = try Self.worker(minimum: 5, options: [("10", "en", 20), ("8", "en", 2), ("6", "de", 9)])
        let message = try test.send(.get, Self.path).json["messages"][0]
        #expect(message["all"]["answers"] == 31)
        #expect(message["all"]["options"][8] == ["option": "8", "count": nil, "withheld": true])
        #expect(message["all"]["options"][6]["count"] == .null)
        #expect(message["all"]["options"][7]["count"] == .null)
        #expect(message["all"]["options"][5]["count"] == 0)
        #expect(message["all"]["mean"]["answers"] == 31)
        #expect(message["all"]["nps"]["promoters"] == 20 && message["all"]["nps"]["passives"] == .null)
        #expect(message["all"]["nps"]["detractors"] == .null)
        let few = try Self.worker(minimum: 5, options: [("10", "en", 4)])
        let none = try few.send(.get, Self.path).json["messages"][0]["all"]
        #expect(none["answers"] == .null)
        #expect(none["withheld"] == true)
        #expect(none["mean"] == .null && none["nps"] == .null)
    }

    @Test(arguments: [
        ("", "text/csv", true), ("", "application/json, text/csv", false), ("", "text/csv;q=0.9, */*", true),
        ("?format=csv", "application/json", true), ("?format=json", "text/csv", false), ("", "*/*", false),
    ])
    func theFormatIsAskedFor(_ query: String, _ accept: String, _ isCSV: Bool) throws {
        let test = try Self.worker(options: [("10", "en", 2)])
        let answer = try test.send(.get, Self.path + query, headers: [("Accept", accept)])
        #expect(answer.headers.contains(isCSV ? "Content-Type: text/csv" : "Content-Type: application/json"))
        #expect(answer.headers.contains("Cache-Control: private, no-cache"))
        #expect(answer.headers.contains("Vary: Accept"))
    }

    @Test func csvHasOneNumberALine() throws {
        let test = try Self.worker(minimum: 5, options: [("10", "en", 20), ("8", "en", 2), ("6", "de", 9)])
        let text = String(decoding: try test.send(.get, Self.path + "?format=csv").body, as: UTF8.self)
        let lines = text.split(separator: "\r\n").map(String.init)
        #expect(
            lines[0] == "message,breakdown,group,measure,option,text,count,clients,value,share,low,high,withheld")
        #expect(lines.contains("m,all,,answers,,,31,,,,,,false"))
        #expect(lines.contains("m,all,,option,8,8,,,8,,,,true"))
        #expect(lines.contains { $0.hasPrefix("m,all,,option,10,10,20,,10,0.645161,") })
        #expect(lines.contains("m,locale,de,answers,,,9,,,,,,false"))
        #expect(lines.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == 13 })
    }

    /// A spreadsheet would execute a formula.
    @Test func csvHasNoFormulasAndItsNumbersStay() throws {
        let test = try Self.worker(options: [("=HYPERLINK(\"http://example.org\")", "+en", 1)])
        let text = String(decoding: try test.send(.get, Self.path + "?format=csv").body, as: UTF8.self)
        #expect(text.contains(",\"'=HYPERLINK(\"\"http://example.org\"\")\","))
        #expect(text.contains("m,locale,'+en,answers,,,1,"))
        let scored = try Self.worker(options: [("0", "en", 5)])
        let nps = String(decoding: try scored.send(.get, Self.path + "?format=csv").body, as: UTF8.self)
        #expect(nps.contains("m,all,,nps,,,5,,-100"))
    }

    @Test func whatCannotBeAnsweredSaysWhy() throws {
        let test = try Self.worker(options: [])
        #expect(try test.send(.get, Self.path + "?format=xml&window=day").json["errors"].array?.count == 2)
        #expect(try test.send(.get, "/v1/apps/none/results/r").status == 404)
        test.store.answerResults(ResultsReading(messages: nil))
        #expect(try test.send(.get, Self.path).status == 404)
        test.store.fail(.overloaded)
        #expect(try test.send(.get, Self.path).status == 503)
    }
}
