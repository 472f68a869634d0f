import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// The examples of docs/reference/expressions.md and docs/reference/surveys.md#predicates agree with the program.
@Suite struct ReferenceExampleTests {
    private struct Answer {
        let error: String?
        let value: JSONValue
    }

    /// The rows of the table below a heading, each cell without its code marks.
    private static func rows(_ heading: String) throws -> [[String]] {
        let page = try String(contentsOfFile: Repository.path + "/docs/reference/expressions.md", encoding: .utf8)
        let section = page.components(separatedBy: "\n### ").first { $0.hasPrefix(heading + "\n") } ?? ""
        let lines = section.components(separatedBy: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
        return lines.map { line in
            let cells = line.replacing("\\|", with: "§").components(separatedBy: "|").dropFirst().dropLast()
            return cells.map { $0.replacing("§", with: "|").trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The text between the first pair of backquotes.
    private static func code(_ cell: String) -> String? {
        cell.hasPrefix("`") ? cell.split(separator: "`").first.map(String.init) : nil
    }

    private static func answers(_ questions: [JSONValue]) throws -> [Answer] {
        let result = try Command.bellwether("jexl", "--batch", input: questions.map { $0.text + "\n" }.joined())
        return try result.lines.map { line in
            let answer = try JSONValue(parsing: line)
            return Answer(error: answer["error"]["kind"].string, value: answer["value"])
        }
    }

    @Test func `Expressions have the values in the table`() throws {
        let rows = try Self.rows("Examples")
        #expect(rows.count > 10)
        let questions = try rows.map { row -> JSONValue in
            let expression = try #require(Self.code(row[0]), "\(row)")
            let context = try Self.code(row[1]).map { try JSONValue(parsing: $0) } ?? [:]
            return ["expression": .string(expression), "context": context]
        }
        let answers = try Self.answers(questions)
        try #require(answers.count == rows.count)
        for (row, answer) in zip(rows, answers) {
            if let value = Self.code(row[2]) {
                #expect(try answer.error == nil && answer.value == JSONValue(parsing: value), "\(row)")
            } else {
                #expect(row[2].hasPrefix("error") && answer.error != nil, "\(row)")
            }
        }
    }

    @Test func `Versions compare as the table says`() throws {
        let rows = try Self.rows("Versions")
        #expect(rows.count > 5)
        let questions = rows.map { row -> JSONValue in
            let versions = row.prefix(2).map { Self.code($0) ?? "" }
            return ["expression": .string("'\(versions[0])'|versionCompare('\(versions[1])')")]
        }
        let answers = try Self.answers(questions)
        try #require(answers.count == rows.count)
        for (row, answer) in zip(rows, answers) {
            #expect(row[2] == (answer.error.map { _ in "error" } ?? answer.value.text), "\(row)")
        }
    }

    /// The custom condition of SurveyNative's example: an age and a year of birth that contradict each other.
    @Test func `The survey with a predicate publishes without a warning and asks whom it should`() throws {
        let page = try String(contentsOfFile: Repository.path + "/docs/reference/surveys.md", encoding: .utf8)
        let section = page.components(separatedBy: "\n## ").first { $0.hasPrefix("Predicates\n") } ?? ""
        let blocks = section.components(separatedBy: "```")
        let example = try #require(blocks.first { $0.hasPrefix("json\n") })
        let definition = try JSONValue(parsing: Array(example.dropFirst(5).utf8))
        let app = try TestApp()
        #expect(try app.publish("ages", definition).json["warnings"] == [])
        let answers: [(JSONValue, Bool)] = [
            (["age": "30", "birthyear": "1990"], true), (["age": "36", "birthyear": "1990"], false),
            (["age": "35", "birthyear": "1990"], false), (["birthyear": "1990"], false), (["age": "30"], false),
            (["age": "thirty", "birthyear": "1990"], false), ([:], false),
        ]
        let lines = answers.map { answers, _ -> JSONValue in
            ["definition": definition, "answers": answers, "now": "2026-06-01T00:00:00Z", "explain": true]
        }
        let batch = try Command.bellwether("survey", "batch", input: lines.map { $0.text + "\n" }.joined())
        let told = try batch.lines.map { try JSONValue(parsing: $0) }
        try #require(told.count == answers.count)
        for ((answers, isShown), answer) in zip(answers, told) {
            #expect(answer["visible"].array?.contains("lie_about_age") == isShown, "\(answers)")
        }
        let test = told[0]["explain"][2]["tests"][0]
        #expect(test["reference"] == "predicates.lie_about_age" && test["holds"] == true && test["error"] == .null)
        let read: JSONValue = [
            "answers.age": "30", "extra.wiggle_room": 1, "current_date": 1_780_272_000, "answers.birthyear": "1990",
        ]
        #expect(test["value"] == read)
        #expect(told[6]["explain"][2]["tests"][0]["error"].string?.contains("null") == true)
    }
}
