import BellwetherAuthoring
import BellwetherBase
import BellwetherCore
import BellwetherJSON
import SQLiteStore
import StoreSupport
import Surveys
import TestSupport
import Testing

@testable import BellwetherService

/// A changed type or scale begins a new series (docs/decisions/0130-a-changed-scale-begins-a-new-series.md).
@Suite struct AnswerSeriesTests {
    /// The forms of a question or field. Forms with the same series differ in ways that change no meaning.
    struct Form: Sendable {
        let series: String
        let keys: JSONObject
        let answers: [JSONValue]

        init(_ series: String, _ keys: JSONObject, _ answers: JSONValue...) {
            (self.series, self.keys, self.answers) = (series, keys, answers)
        }
    }

    private static func options(_ ids: String...) -> JSONValue {
        .array(ids.map { ["id": .string($0), "label": .string($0)] })
    }

    static let questionnaire: [Form] = [
        Form("nps", ["type": "nps"], 0, 2, 9), Form("nps", ["type": "nps", "title": "Another title?"], 3, 10),
        Form("rating 5", ["type": "rating"], 1, 2), Form("rating 5", ["type": "rating", "scale": 5], 2, 5),
        Form("rating 10", ["type": "rating", "scale": 10], 2, 10),
        Form("single", ["type": "single_choice", "options": options("a", "b")], "a", "b"),
        Form("single", ["type": "single_choice", "options": options("c", "b", "a")], "a", "c"),
        Form("multi", ["type": "multi_choice", "options": options("a", "b")], ["a"], ["b", "a"]),
        Form("text", ["type": "text"], "a", "2"), Form("text", ["type": "text", "multiline": true], "b"),
    ]

    private static let survey: [Form] = [
        Form("single", ["question_type": "single_select", "options": ["2", "b"]], "2"),
        Form("single", ["question_type": "single_select", "options": ["c", "b", "2"]], "c"),
        Form("multi", ["question_type": "multi_select", "options": ["2", "b"]], ["2"]),
        Form("segments 5", ["question_type": "segment_select", "values": ["1", "2", "5"]], "2"),
        Form("segments 5", ["question_type": "segment_select", "values": ["5", "3", "2", "1"]], "2"),
        Form("segments 7", ["question_type": "segment_select", "values": ["1", "2", "7"]], "2"),
        Form("segments of words", ["question_type": "segment_select", "values": ["low", "2", "high"]], "low"),
        Form("year", ["question_type": "year_picker", "min_year": 1900, "max_year": 2020], "2001"),
        Form("year", ["question_type": "year_picker", "min_year": 1950, "max_year": 2010], "2001"),
        Form("date", ["question_type": "date_picker"], "2001-02-03"),
        Form("field", ["question_type": "single_text_field"], "2"),
        Form("area", ["question_type": "single_text_area"], "2"),
        Form("texts", ["question_type": "add_text_field"], ["2"]),
        Form(
            "table",
            [
                "question_type": "table_select", "options": ["2", "b"],
                "table_questions": [["id": "row", "title": "Row"]],
            ],
            ["row": "2"]),
    ]

    private static let flow: [Form] = [
        Form("stars 5", ["type": "rating"], 2),
        Form("stars 5", ["type": "rating", "config": ["allow_half": true]], 2.5),
        Form("stars 10", ["type": "rating", "config": ["max_stars": 10]], 2),
        Form("number", ["type": "number"], 2), Form("number", ["type": "number", "config": ["max_value": 7]], 2),
        Form("number kg", ["type": "number", "config": ["unit": "kg"]], 2),
        Form("stepper", ["type": "stepper"], 2), Form("slider 100", ["type": "slider"], 2),
        Form("slider 10", ["type": "slider", "config": ["max_value": 10]], 2),
        Form("select", ["type": "select", "options": options("a", "2")], "2"),
        Form("select", ["type": "select", "options": options("2", "a", "b")], "b"),
        Form("several", ["type": "select", "options": options("a", "2"), "config": ["multi_select": true]], ["2"]),
        Form("segmented", ["type": "segmented", "options": options("a", "2")], "2"),
        Form("toggle", ["type": "toggle"], true), Form("text", ["type": "text"], "2"),
        Form("chips", ["type": "chips"], ["2"]), Form("chips", ["type": "multiline_chips"], ["2"]),
        Form("date", ["type": "date"], "2001-02-03"), Form("time", ["type": "time"], "10:00"),
    ]

    static func document(_ kind: ContentKind, _ form: Form?) -> JSONValue {
        var question: JSONObject = ["id": "r", "title": "T", "question": "T", "label": "T"]
        for key in form?.keys ?? [:] { question[key.key] = key.value }
        let questions: [JSONValue] = form == nil ? [] : [.object(question)]
        switch kind {
        case .questionnaire:
            for key in ["question", "label"] { question[key] = nil }
            let other: JSONValue = ["id": "s", "type": "text", "title": "Why?"]
            return [
                "kind": "questionnaire", "name": "Q",
                "schema": ["version": 1, "questions": .array((form == nil ? [] : [.object(question)]) + [other])],
            ]
        case .survey: return ["kind": "survey", "questions": .array(questions)]
        case .flow:
            return [
                "kind": "flow", "id": "q", "name": "F",
                "steps": [
                    ["id": "form", "type": "form", "config": ["title": "B", "fields": .array(questions)]],
                    ["id": "end", "type": "welcome", "config": ["title": "End"]],
                ],
            ]
        }
    }

    private static func forms(_ kind: ContentKind) -> [Form] {
        switch kind {
        case .questionnaire: questionnaire
        case .survey: survey
        case .flow: flow
        }
    }

    @Test(arguments: [ContentKind.questionnaire, .survey, .flow])
    func `Of each pair of types and scales, only answers on the same scale count together`(
        _ kind: ContentKind
    ) async throws {
        for before in Self.forms(kind) {
            for after in Self.forms(kind) {
                var world = SeriesWorld(kind)
                world.publish(before)
                try await world.answer(before.answers[0], as: "c1")
                let receipt = world.publish(after)
                try await world.answer(after.answers[0], as: "c2")
                let json = try world.results()
                let isSame = before.series == after.series
                let name = "\(before.keys) then \(after.keys)"
                let others = (json["other_revisions"]?.array ?? []).filter { $0.object?["total_answered"] != nil }
                #expect(json["questions"]?.array?.first?.object?["total_answered"] == (isSame ? 2 : 1), "\(name)")
                #expect(others.map { $0.object?["total_answered"] } == (isSame ? [] : [1]), "\(name)")
                let isWarned = receipt?.warnings.contains { $0.code == "new_series" }
                let isChanged = before.keys != after.keys
                #expect(!isChanged || isWarned == !isSame, "\(name)")
            }
        }
    }

    private static let rounds: [StoreKind: UInt64] = [.memory: 60, .sqlite: 6]

    /// Errors that a program could have.
    enum Fault: CaseIterable {
        /// Answers are joined with a question by its id alone.
        case joinsByID
        /// A draft keeps an answer that was given on another scale.
        case keepsAnswers
    }

    @Test(arguments: StoreKind.allCases)
    func `Results after random edits and answers are those of a plain model`(_ kind: StoreKind) async throws {
        for seed in 0..<(Self.rounds[kind] ?? 0) {
            var model = try SeriesModel(kind, seed: seed)
            for step in 0..<40 {
                try await model.step()
                let difference = try model.difference()
                #expect(difference == nil, "seed \(seed), step \(step): \(difference ?? "")")
                if difference != nil { return }
            }
        }
    }

    @Test(arguments: Fault.allCases)
    func `The plain model finds a fault`(_ fault: Fault) async throws {
        var isFound = false
        for seed in 0..<10 where !isFound {
            var model = try SeriesModel(.memory, seed: UInt64(seed), fault)
            for _ in 0..<40 where !isFound {
                try await model.step()
                isFound = try model.difference() != nil
            }
        }
        #expect(isFound)
    }
}
