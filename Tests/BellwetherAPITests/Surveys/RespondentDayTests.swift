import BellwetherBase
import BellwetherJSON
import HTTPWire
import StoreSupport
import TestSupport
import Testing

/// A save takes any day that it is somewhere on earth (docs/reference/surveys.md#today).
@Suite struct RespondentDayTests {
    /// Each survey has one picker.
    private static func world(_ keys: JSONObject) throws -> WorkerUnderTest {
        var question: JSONObject = ["id": "d", "question": "When?"]
        for member in keys { question[member.key] = member.value }
        let survey: JSONValue = [
            "kind": "survey", "submit": ["button_title": "Send"], "questions": [.object(question)],
        ]
        return try WorkerUnderTest(manifest: WorkerUnderTest.manifest, recipes: ["s": survey])
    }

    private static func codes(_ world: WorkerUnderTest, _ answer: String) throws -> [String?] {
        let body: JSONValue = ["client_id": "c1", "answers": ["d": .string(answer)]]
        let saved = try world.send(.post, "/v1/apps/app/surveys/s/responses", body: body)
        return saved.json["errors"].array?.map { $0["code"].string } ?? []
    }

    private static func range(_ world: WorkerUnderTest) throws -> JSONValue {
        try world.send(.get, "/v1/apps/app/surveys/s?client_id=c9").json["survey"]["questions"][0]["range"]
    }

    /// The clock begins at 12:00 UTC on 10 March: it is the 11th in Auckland, and nowhere the 9th.
    @Test func `Today is the last day where it is already tomorrow`() throws {
        let world = try Self.world(["question_type": "date_picker", "max_date": "current_date"])
        #expect(try Self.codes(world, "2026-03-11") == [])
        #expect(try Self.codes(world, "2026-03-12") == ["range"])
        #expect(try Self.range(world) == ["min": .null, "max": "2026-03-11"])
    }

    @Test func `Today is the first day where it is still yesterday`() throws {
        let world = try Self.world(["question_type": "date_picker", "min_date": "current_date"])
        #expect(try Self.codes(world, "2026-03-09") == ["range"])
        world.pass(seconds: 23 * 3_600)
        #expect(try Self.codes(world, "2026-03-10") == [])
        #expect(try Self.codes(world, "2026-03-09") == ["range"])
        #expect(try Self.range(world) == ["min": "2026-03-10", "max": .null])
    }

    @Test func `A bound that is counted from today moves with it`() throws {
        let world = try Self.world([
            "question_type": "date_picker", "max_date": "current_date", "date_diff": ["day": -1],
        ])
        for day in ["2026-03-09", "2026-03-10", "2026-03-11"] { #expect(try Self.codes(world, day) == []) }
        for day in ["2026-03-08", "2026-03-12"] { #expect(try Self.codes(world, day) == ["range"]) }
    }

    @Test func `A year begins and ends where the respondent is`() throws {
        let world = try Self.world(["question_type": "year_picker", "max_year": "current_year", "num_years": 2])
        #expect(try Self.codes(world, "2027") == ["range"])
        world.pass(seconds: 296 * 86_400 - 3_600)
        for year in ["2025", "2026", "2027"] { #expect(try Self.codes(world, year) == []) }
        for year in ["2024", "2028"] { #expect(try Self.codes(world, year) == ["range"]) }
        #expect(try Self.range(world) == ["min": "2025", "max": "2027"])
    }
}
