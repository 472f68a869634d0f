import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Foundation
import TestSupport
import Testing

@testable import BellwetherService

/// The bodies of changes of lists (docs/reference/audiences.md#the-body).
@Suite struct ListReadingTests {
    private static let key: ListKey = {
        var random = SeededGenerator(seed: 1)
        return ListKey(random: &random)
    }()

    private static func read(_ body: String, _ format: ListFormat) throws -> ListReading {
        try ListReading.read(Array(body.utf8)[...], format, key)
    }

    private static func faults(_ body: String, _ format: ListFormat) throws -> [String] {
        try read(body, format).faults.map { "\($0.pointer) \($0.code.hasPrefix("json_") ? "json" : $0.code)" }
    }

    private static let vectors: [JSONValue] = {
        let file = SampleFolders.root.appending(path: "vectors/audiences.json")
        let text = (try? Data(contentsOf: file)) ?? Data()
        let cases = ((try? JSONValue(parsing: Array(text))) ?? .null)["cases"].array ?? []
        return cases.filter { $0["group"] == "lines" }
    }()

    private static let formats: [String: ListFormat] = [
        "text/plain": .text, "text/csv": .csv, "application/x-ndjson": .lines, "application/json": .json,
    ]

    @Test(arguments: vectors) func `Each vector has its ids or its faults`(_ vector: JSONValue) throws {
        let format = try #require(Self.formats[vector["type"].string ?? ""])
        let body = vector["body"].string ?? ""
        if let wanted = vector["want"]["errors"].array {
            let faults = wanted.map { "\($0.array?.first?.string ?? "") \($0.array?.last?.string ?? "")" }
            #expect(try Set(Self.faults(body, format)) == Set(faults), "\(vector.text)")
        } else {
            let reading = try Self.read(body, format)
            #expect(reading.badLines == 0)
            #expect(vector["want"]["count"] == .integer(Int64(reading.entries.count)), "\(vector.text)")
            #expect(vector["want"]["duplicates"] == .integer(Int64(reading.duplicates)), "\(vector.text)")
        }
    }

    @Test func `There are vectors`() { #expect(Self.vectors.count == 4) }

    /// Each body has the ids `a`, `b c` and `ü`.
    @Test(
        arguments: [
            (.text, "a\r\nb c\r\n\r\n\t ü \n"), (.text, "\u{FEFF}ü\nb c\na"), (.text, "a\n \t\nb c\nü\na\n"),
            (.csv, "client_id,n\na,1\n\"b c\",\"x\ny\"\nü\n"), (.csv, "\u{FEFF}id\r\na\r\n\r\nb c\r\n\"ü\""),
            (.lines, "\"a\"\r\n{\"id\": \"b c\", \"n\": 1}\n\n\"\\u00fc\""),
            (.json, "{\"ids\": [\"a\", \"b c\", \"ü\", \"a\"]}"),
        ] as [(ListFormat, String)])
    func `All formats have the same ids`(_ format: ListFormat, _ body: String) throws {
        let reading = try Self.read(body, format)
        #expect(reading.faults.isEmpty)
        #expect(try reading.entries == Self.read("a\nb c\nü", .text).entries)
    }

    @Test(
        arguments: [
            (.text, "a\nb\u{7}\n\n\(String(repeating: "x", count: 129))", ["/2 identifier", "/4 identifier"]),
            (.csv, "a\n,x\n\"b\n\"c\"d,1\n\"e", ["/2 identifier", "/3 identifier", "/5 identifier"]),
            (.csv, "\"b\"c\nd", ["/1 identifier"]),
            (.lines, "{\"id\": null}\n[]\n{\"i\": 1}\n{", ["/1 type", "/2 type", "/3 required", "/4 json"]),
            (.json, "{\"ids\": [\"a\", 1, \"\"]}", ["/ids/1 type", "/ids/2 identifier"]),
            (.json, "{\"ids\": 1}", ["/ids type"]), (.json, "{}", ["/ids required"]),
        ] as [(ListFormat, String, [String])])
    func `A line that is no id is a fault`(_ format: ListFormat, _ body: String, _ wanted: [String]) throws {
        #expect(try Self.faults(body, format) == wanted)
        #expect(try Self.read(body, format).entries.count == 0)
    }

    @Test func `Bytes that are not UTF-8 are a fault, and a document that is not JSON is refused`() throws {
        let bytes: [UInt8] = [0x61, 0x0A, 0xFF, 0x0A, 0x22, 0xFF, 0x22]
        for format in [ListFormat.text, .csv] {
            let reading = try ListReading.read(bytes[0..<3], format, Self.key)
            #expect(reading.faults.map(\.code) == ["utf8"] && reading.faults[0].pointer.description == "/2")
        }
        #expect(try ListReading.read(bytes[4...], .lines, Self.key).faults.map(\.code) == ["utf8"])
        #expect(throws: JSONError.self) { try Self.read("[", .json) }
    }

    @Test func `All bad lines are counted, and the first hundred reported`() throws {
        let reading = try Self.read(String(repeating: "\u{1}\n", count: 250) + "a", .text)
        #expect(reading.badLines == 250 && reading.faults.count == 100)
        let pointers = (1...250).map { "/\($0)" }.sorted()
        #expect(reading.faults.map(\.pointer.description) == Array(pointers.prefix(100)))
    }
}
