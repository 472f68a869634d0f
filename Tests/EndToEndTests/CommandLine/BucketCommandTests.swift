import BellwetherJSON
import TestSupport
import Testing

/// `bellwether bucket --batch` (docs/reference/http-api.md#the-command-bucket), over the shared vectors.
@Suite struct BucketCommandTests {
    private static let vectors = Repository.vectors("bucketing")

    @Test func `Each bucket's vector`() throws {
        let cases = Self.vectors["buckets"].array ?? []
        #expect(cases.count > 50)
        try expect(cases, asked: ["id", "namespace", "start", "count", "total"], answered: ["hash48", "in"])
    }

    @Test func `Each branch's vector`() throws {
        let cases = Self.vectors["branches"].array ?? []
        #expect(cases.count > 40)
        try expect(cases, asked: ["id", "slug", "ratios"], answered: ["index"])
    }

    private func expect(_ cases: [JSONValue], asked: [String], answered: [String]) throws {
        func part(_ item: JSONValue, _ keys: [String]) -> JSONValue {
            .object(JSONObject(keys.map { (key: $0, value: item[$0]) }))
        }
        let input = cases.map { part($0, asked).text + "\n" }.joined()
        let result = try Command.bellwether("bucket", "--batch", input: input)
        #expect(result.status == 0)
        let answers = try result.lines.map { try JSONValue(parsing: $0) }
        #expect(answers.map { part($0, answered) } == cases.map { part($0, answered) })
        #expect(answers.allSatisfy { $0.object?.keys == ["hash48", asked.contains("slug") ? "index" : "in"] })
    }

    @Test(
        arguments: [
            "{", "[]", "{}", #"{"id": "a"}"#, #"{"id": "a", "namespace": "n", "start": 0, "count": 1, "total": 0}"#,
            #"{"id": "a", "namespace": "n", "start": -1, "count": 1, "total": 10}"#,
            #"{"id": "a", "slug": "s", "ratios": []}"#, #"{"id": "a", "slug": "s", "ratios": [0, 0]}"#,
            #"{"id": "a", "slug": "s", "ratios": [1.5]}"#,
        ])
    func `A line that is no question is an error`(_ line: String) throws {
        let result = try Command.bellwether("bucket", "--batch", input: line)
        #expect(result.status == 0)
        #expect(try JSONValue(parsing: result.lines.first ?? "")["error"] != .null)
    }
}
