import BellwetherJSON
import TestSupport
import Testing

/// `bellwether jexl` (docs/reference/http-api.md#the-command-jexl), over the shared vectors.
@Suite struct ExpressionCommandTests {
    /// The transforms that exist only in the vectors' own tests.
    private static let testTransforms = ["|lower", "|args", "|id"]

    private static let cases: [JSONValue] = {
        (Repository.vectors("jexl")["cases"].array ?? []).filter { item in
            !testTransforms.contains { item["expression"].string?.contains($0) == true }
        }
    }()

    /// The results of one run of the program, in order.
    private static let answers = Result {
        let input = cases.map { item in
            JSONValue.object(["expression": item["expression"], "context": item["context"]]).text + "\n"
        }
        return try Command.bellwether("jexl", "--batch", input: input.joined())
    }

    @Test func `One line out for each line in`() throws {
        let result = try Self.answers.get()
        #expect(result.status == 0)
        #expect(Self.cases.count > 90)
        #expect(Self.scenarios.count > 10)
        #expect(result.lines.count == Self.cases.count)
    }

    @Test(arguments: cases.indices)
    func `A vector's value or kind of error`(_ index: Int) throws {
        let item = Self.cases[index]
        let line = try Self.answers.get().lines[index]
        let answer = try JSONValue(parsing: line)
        if let kind = item["error"].string {
            #expect(answer["error"]["kind"].string == kind, "\(item.text)")
            #expect(answer["error"]["message"].string?.isEmpty == false)
        } else {
            #expect(answer == ["value": item["value"]], "\(item.text)")
            // 2.0 is printed as 2.0 and 2 as 2. The two values are equal, so only the text shows the difference.
            #expect(line == JSONValue.object(["value": answer["value"]]).text)
        }
    }

    /// The groups of the vectors that the program can decide.
    private static let audiences: [JSONValue] = {
        (Repository.vectors("audiences")["cases"].array ?? []).filter {
            ["properties", "derived", "order", "segments", "lists", "facts"].contains($0["group"].string)
        }
    }()

    @Test func `Derived events and orders in time have the vectors' values`() throws {
        #expect(Self.audiences.count > 20)
        let result = try Command.bellwether(
            "jexl", "--batch", input: Self.audiences.map { $0["input"].text + "\n" }.joined())
        #expect(result.lines.count == Self.audiences.count)
        for (line, vector) in zip(result.lines, Self.audiences) {
            let answer = try JSONValue(parsing: line)
            let kind = vector["want"]["error"]["kind"]
            if kind != .null {
                #expect(answer["error"]["kind"] == kind, "\(vector["id"])")
            } else {
                #expect(answer == vector["want"], "\(vector["id"])")
            }
        }
    }

    private static let scenarios: [JSONValue] = {
        Repository.vectors("event-store")["scenarios"].array ?? []
    }()

    @Test(arguments: scenarios.indices)
    func `An event store's scenario, replayed`(_ index: Int) throws {
        let scenario = Self.scenarios[index]
        let events = (scenario["records"].array ?? []).map { record -> JSONValue in
            ["name": record["event"], "at": record["at"], "count": record["count"]]
        }
        let queries = scenario["queries"].array ?? []
        let input = queries.map { query -> String in
            let event = query["event"].string ?? ""
            let interval = query["interval"].string ?? ""
            let count = query["query"] == "LastSeen" ? "" : "\(query["count"].integer ?? 0), "
            let expression =
                "'\(event)'|event\(query["query"].string ?? "")('\(interval)', \(count)\(query["start"].integer ?? 0))"
            return JSONValue.object([
                "expression": .string(expression), "events": .array(events), "now": scenario["now"],
            ]).text + "\n"
        }
        let result = try Command.bellwether("jexl", "--batch", input: input.joined())
        #expect(result.lines.count == queries.count)
        for (query, line) in zip(queries, result.lines) {
            let value = try JSONValue(parsing: line)["value"]
            let expected = query["value"] == "never" ? .number(.greatestFiniteMagnitude) : query["value"]
            #expect(value.double == expected.double, "\(query.text) \(line)")
            #expect((value == .null) == (expected == .null))
        }
    }

    @Test func `A line that is no question is an error of its own, and the others are answered`() throws {
        let lines = [
            "{", "[]", "{}", #"{"expression": 1}"#, #"{"expression": "1", "context": []}"#,
            #"{"expression": "1", "now": "soon"}"#, #"{"expression": "1", "events": [{"at": "2020-01-01T00:00:00Z"}]}"#,
            "",
            #"{"expression": "1 + 1"}"#,
        ]
        let result = try Command.bellwether("jexl", "--batch", input: lines.joined(separator: "\n"))
        let answers = try result.lines.map { try JSONValue(parsing: $0) }
        #expect(answers.count == 9)
        #expect(answers.prefix(8).allSatisfy { $0["error"]["kind"] == "input" })
        #expect(result.lines.last == #"{"value":2.0}"#)
    }

    @Test func `An error says where`() throws {
        let result = try Command.bellwether("jexl", "--batch", input: #"{"expression": "1 == = 2"}"#)
        let error = try JSONValue(parsing: result.lines[0])["error"]
        #expect(error["kind"] == "parse")
        #expect(error["offset"] == 5)
    }

    @Test(
        arguments: [
            (["1 + 1"], 0, "2.0"), (["--context", #"{"xs": [1, 2.5]}"#, "xs"], 0, "[1,2.5]"),
            (["--boolean", "1 == 1"], 0, "true"), (["--boolean", "1"], 1, ""), (["1 +"], 1, ""), (["nowhere"], 1, ""),
            (["--context", "{", "1"], 1, ""), (["--context", "[]", "1"], 1, ""), ([], 64, ""),
            (["--batch", "1"], 64, ""),
            (["10 ^ 16"], 0, "1e16"), (["1 / 3"], 0, "0.3333333333333333"), (["'é' + '👍'"], 0, "\"é👍\""),
        ] as [([String], Int32, String)])
    func `One expression, its value and its exit`(_ arguments: [String], _ status: Int32, _ output: String) throws {
        let result = try Command.run([BellwetherProgram.path, "jexl"] + arguments)
        #expect(result.status == status)
        #expect(result.lines.first ?? "" == output)
        #expect(result.errors.isEmpty == (status == 0))
    }
}
