import BellwetherBase
import BellwetherJSON
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI

/// Who answered in the round before, in results by round and over time (docs/reference/rounds.md#results).
@Suite struct RoundMoveTests {
    private static let path = "/v1/apps/app/recipes/s"

    private let world: WorkerUnderTest

    init() throws {
        var settings = try RunResultsTests.settings()
        settings.minimumCell = 2
        world = try WorkerUnderTest(settings: settings)
        #expect(try send(.put, Self.path, as: "ann", body: Self.recipe(scale: 5)).status == 201)
    }

    private func send(
        _ method: HTTPMethod, _ path: String, as token: String, body: JSONValue? = nil
    ) throws -> RecordedResponse {
        try world.send(method, path, headers: [("Authorization", "Bearer \(token)")], body: body)
    }

    private static func recipe(scale: Int64) -> JSONValue {
        [
            "kind": "questionnaire", "name": "S", "repeat": ["days": 0, "unanswered_days": 0],
            "schema": [
                "version": 1,
                "questions": [
                    ["id": "q", "type": "nps", "title": "Q?"],
                    ["id": "stars", "type": "rating", "title": "Stars?", "scale": .integer(scale)],
                    ["id": "why", "type": "text", "title": "Why?"],
                ],
            ],
        ]
    }

    private func save(_ client: String, _ score: Int64?, stars: Int64? = nil, final: Bool = true) throws {
        var answers: JSONObject = ["why": "9"]
        answers["q"] = score.map { .integer($0) }
        answers["stars"] = stars.map { .integer($0) }
        let body: JSONValue = [
            "client_id": .string(client), "answers": .object(answers), "is_complete": .bool(final),
        ]
        let answer = try send(.post, "/v1/apps/app/questionnaires/s/responses", as: "page", body: body)
        #expect(answer.status / 100 == 2, "\(answer.json)")
    }

    /// The moves of each question in each group: `q 2: detractors>promoters=1`.
    private func moves(by: String = "round", token: String = "sue") throws -> [String] {
        let json = try send(.get, "/v1/apps/app/results/s?by=\(by)", as: token).json
        #expect((json["questions"].array ?? []).allSatisfy { $0.object?["moved"] == nil })
        return (json["by"]["groups"].array ?? []).flatMap { group in
            (group["questions"].array ?? []).flatMap { question in
                (question["moved"].array ?? []).map { move in
                    let ends = [move["from"], move["to"]].map { $0.string ?? $0.text }.joined(separator: ">")
                    return "\(question["id"].string ?? "") \(group["value"].text): \(ends)=\(move["count"].text)"
                }
            }
        }
    }

    @Test func `An answer counts with the value of the person's round before`() throws {
        try save("a", 3, stars: 2)
        #expect(try moves() == [])
        try save("a", 10, final: false)
        #expect(try moves() == [], "a draft is no answer")
        try save("a", 9, stars: 5)
        try save("b", 6)
        try save("b", 10, stars: 4)
        try save("b", 8)
        #expect(
            try moves() == ["q 2: detractors>promoters=2", "stars 2: 2>5=1", "q 3: promoters>passives=1"])
        #expect(try moves(by: "year") == [], "another attribute has no moves")
        let month = String(world.now.rfc3339.prefix(7))
        #expect(
            try moves(by: "month") == [
                "q \"\(month)\": detractors>promoters=2", "q \"\(month)\": promoters>passives=1",
                "stars \"\(month)\": 2>5=1",
            ])
    }

    @Test func `The values are those of one scale`() throws {
        try save("a", 3, stars: 2)
        let answer = try send(.put, Self.path, as: "ann", body: Self.recipe(scale: 7))
        #expect(answer.status == 200, "\(answer.json)")
        try save("a", 3, stars: 2)
        try save("a", nil, stars: 6)
        #expect(try moves() == ["q 2: detractors>detractors=1", "stars 3: 2>6=1"])
    }

    @Test func `A deleted answer is not counted, and the next one of its round has no answer before it`() throws {
        try save("a", 9)
        try save("a", 1)
        let list = "/v1/apps/app/questionnaires/s/responses?round=2"
        let id = try #require(try send(.get, list, as: "sue").json["items"][0]["id"].string)
        #expect(try send(.delete, "/v1/apps/app/responses/\(id)", as: "sue").status == 204)
        #expect(try moves() == [])
        try save("a", 10)
        #expect(try moves() == [])
        try save("a", 8)
        #expect(try moves() == ["q 3: promoters>passives=1"])
    }

    @Test func `An imported answer counts as the next round, and few answers are withheld`() throws {
        for (client, score) in [("a", 2), ("b", 3), ("c", 9)] { try save(client, Int64(score)) }
        let rows: [JSONValue] = [("a", 9), ("b", 10), ("c", 9)].map { client, score in
            [
                "id": .string(client), "client_id": .string(client), "answers": ["q": .integer(Int64(score))],
                "created_at": "2026-01-02T00:00:00Z", "submitted_at": "2026-01-02T00:00:00Z",
            ]
        }
        let body: JSONValue = ["source": "t", "responses": .array(rows)]
        let path = "/v1/apps/app/questionnaires/s/responses/import"
        #expect(try send(.post, path, as: "ann", body: body).json["imported"] == 3)
        #expect(try moves() == ["q 2: detractors>promoters=2", "q 2: promoters>promoters=1"])
        for (client, score) in [("d", 2), ("e", 3)] {
            try save(client, Int64(score))
            try save(client, 10)
        }
        #expect(try moves(token: "rita") == [], "the count of one answer would follow from the others")
        try save("f", 10)
        try save("f", 10)
        #expect(try moves(token: "rita") == ["q 2: detractors>promoters=4", "q 2: promoters>promoters=2"])
        let csv = try send(.get, "/v1/apps/app/results/s?by=round&format=csv", as: "rita")
        #expect(String(decoding: csv.body, as: UTF8.self).contains("round=2,q,nps,moved,detractors>promoters,,4,"))
    }
}
