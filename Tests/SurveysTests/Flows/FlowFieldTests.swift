import BellwetherBase
import BellwetherJSON
import Surveys
import TestSupport
import Testing

/// The values that fields of each type accept (docs/reference/flows.md#fields).
@Suite struct FlowFieldTests {
    /// The code of the fault of one answer; nil if the answer is accepted.
    private func fault(_ field: JSONObject, _ answer: JSONValue?) -> String? {
        var field = field
        field["id"] = "x"
        let flow: JSONValue = ["steps": [["id": "s", "type": "form", "config": ["fields": [.object(field)]]]]]
        var response = JSONObject()
        response["x"] = answer
        let line: JSONValue = ["flow": flow, "actions": [["step_id": "s", "response": .object(response)]]]
        let run = FlowBatch.answer(line, now: FlowRuleTests.now).object?["runs"]?.array?.last?.object
        return run?["errors"]?.array?.first?.object?["code"]?.string
    }

    private static let options: JSONValue = [["id": "a", "value": "1"], ["id": "b"], ["id": "c"]]

    @Test(
        arguments: [
            (["type": "select", "options": options], ["a": nil, "1": nil, "z": "not_option"]),
            (["type": "date"], ["2026-02-28": nil, "2026-02-30": "pattern", "28.2.2026": "pattern"]),
            (["type": "date", "config": ["min_date": "2026-01-01"]], ["2025-12-31": "range", "2026-01-01": nil]),
            (["type": "time"], ["23:59": nil, "24:00": "pattern", "1:00": "pattern"]),
            (
                ["type": "datetime", "config": ["max_date": "2026-01-01"]],
                ["2026-01-01T23:59:00": nil, "2026-01-02T00:00:00": "range", "2026-01-01T10:00:30": "pattern"]
            ),
            (["type": "url"], ["https://a.b": nil, "ftp://a": "pattern", "https://": "pattern", "a b": "pattern"]),
            (["type": "url", "config": ["validate_format": false]], ["anything": nil]),
            (["type": "email"], ["a@b.c": nil, "a@b": "pattern", "a@@b.c": "pattern", "@b.c": "pattern", "": nil]),
            (["type": "color", "config": ["show_opacity": true]], ["#12345678": nil, "#123": "pattern"]),
            (["type": "text", "config": ["min_length": 2]], ["a": "range", "": nil, "ab\n": "pattern"]),
            (["type": "textarea", "config": ["max_length": 3]], ["a\nb": nil, "abcd": "too_long"]),
            (["type": "text", "validation": ["pattern": "[0-9]{3}"]], ["ab123cd": nil, "": nil, "ab12": "pattern"]),
            (["type": "image_picker"], ["data:image/png;base64,AAAA": nil, "data:,": "pattern", "x": "pattern"]),
            (
                ["type": "image_picker", "config": ["allowed_types": ["jpeg"]]],
                ["data:image/png;base64,AAAA": "not_option", "data:image/jpeg;base64,AAAA": nil]
            ),
        ] as [(JSONObject, [String: String?])])
    func texts(_ field: JSONObject, _ answers: [String: String?]) {
        for (answer, code) in answers { #expect(fault(field, .string(answer)) == code, "\(answer)") }
    }

    @Test(
        arguments: [
            (["type": "select", "options": options, "config": ["multi_select": true]], ["a", "1"], nil),
            (["type": "select", "options": options, "config": ["multi_select": true]], "a", "type"),
            (["type": "select", "options": options, "required": true], [], "required"),
            (
                ["type": "select", "options": options, "config": ["multi_select": true, "max_selections": 1]],
                ["a", "b"], "range"
            ),
            (["type": "toggle", "required": true], false, nil), (["type": "toggle"], "true", "type"),
            (["type": "text", "required": true], "", "required"),
            (["type": "number", "required": true], .null, "required"),
            (["type": "number"], "4", "type"), (["type": "number", "config": ["decimal_places": 1]], 0.25, "rule"),
            (["type": "number", "config": ["step": 0.1]], 0.3, nil), (["type": "stepper"], 1.5, "type"),
            (["type": "stepper"], 101, "range"), (["type": "slider"], 50.5, nil),
            (["type": "rating"], 2.5, "type"), (["type": "rating", "config": ["allow_half": true]], 2.5, nil),
            (["type": "rating", "config": ["allow_half": true]], 0.5, "range"),
            (["type": "chips", "config": ["max_chips": 1]], ["a", "b"], "range"),
            (["type": "chips", "config": ["allow_custom": false, "suggestions": ["a"]]], ["b"], "not_option"),
            (["type": "chips"], "a", "type"), (["type": "location"], ["planet": "x"], "unknown_key"),
            (["type": "location"], ["city": 1], "type"), (["type": "sparkle"], "text", nil),
        ] as [(JSONObject, JSONValue, String?)])
    func otherValues(_ field: JSONObject, _ answer: JSONValue, _ code: String?) {
        #expect(fault(field, answer) == code)
    }

    @Test func `A toggle of consent takes true only`() {
        let toggle: JSONObject = ["type": "toggle", "required": true]
        #expect(fault(toggle, false) == nil)
        var consent = toggle
        consent["config"] = ["must_be_true": true]
        #expect(fault(consent, false) == "required" && fault(consent, true) == nil)
    }

    /// The last run of a form with these fields after a response.
    private func answered(_ fields: JSONValue, _ response: JSONObject, locale: String? = nil) -> JSONObject? {
        let flow: JSONValue = [
            "steps": [["id": "s", "type": "form", "config": ["fields": fields]], ["id": "t", "type": "welcome"]]
        ]
        let line: JSONValue = [
            "flow": flow, "locale": locale.map { .string($0) } ?? .null,
            "actions": [["step_id": "s", "response": .object(response)]],
        ]
        return FlowBatch.answer(line, now: FlowRuleTests.now).object?["runs"]?.array?.last?.object
    }

    /// The scripts of pages judge the same cases (Web/tests/judge_test.mjs).
    @Test func everyVectorOfFieldsHasItsReason() throws {
        let cases = try #require(try VectorFile.read("fields").object?["cases"]?.array)
        for vector in cases {
            var field = try #require(vector.object)
            (field["id"], field["value"], field["reason"]) = ("x", nil, nil)
            let run = answered([.object(field)], ["x": vector.object?["value"] ?? .null])
            let fault = run?["errors"]?.array?.first?.object
            #expect(fault?["reason"] == vector.object?["reason"], "\(vector.text)")
        }
    }

    @Test func aPhoneNumberStaysAsItWasTypedAndHasASecondMemberInE164() {
        let fields: JSONValue = [["id": "tel", "type": "phone"], ["id": "own", "type": "phone", "sensitive": true]]
        func responses(_ response: JSONObject, _ locale: String?) -> JSONValue? {
            answered(fields, response, locale: locale)?["responses"]?.object?["s"]
        }
        #expect(responses(["tel": "0170/1234567"], "de-DE") == ["tel": "0170/1234567", "tel_e164": "+491701234567"])
        #expect(responses(["tel": "06 1234 5678"], "it_IT") == ["tel": "06 1234 5678", "tel_e164": "+390612345678"])
        #expect(responses(["tel": "(555) 123-4567"], "en") == ["tel": "(555) 123-4567"])
        #expect(responses(["tel": "(555) 123-4567"], nil) == ["tel": "(555) 123-4567"])
        #expect(responses(["tel": "+1 555 123 4567"], nil) == ["tel": "+1 555 123 4567", "tel_e164": "+15551234567"])
        // A client sends back what it got: the member is computed again.
        #expect(responses(["tel": "(555) 123-4567", "tel_e164": "+491701234567"], "en") == ["tel": "(555) 123-4567"])
        #expect(responses(["tel": ""], "en") == ["tel": ""])
    }

    @Test func aFieldWithTheIDOfASecondMemberKeepsItsAnswer() {
        let fields: JSONValue = [["id": "tel", "type": "phone"], ["id": "tel_e164", "type": "text"]]
        let response: JSONObject = ["tel": "+1 555 123 4567", "tel_e164": "mine"]
        #expect(answered(fields, response)?["responses"]?.object?["s"] == .object(response))
    }

    @Test func theSecondMemberOfASensitiveNumberIsInNoEvent() {
        let fields: JSONValue = [["id": "own", "type": "phone", "sensitive": true]]
        let flow: JSONValue = ["steps": [["id": "s", "type": "form", "config": ["fields": fields]]]]
        let line: JSONValue = ["flow": flow, "actions": [["step_id": "s", "response": ["own": "+1 555 123 4567"]]]]
        let answer = FlowBatch.answer(line, now: FlowRuleTests.now).object
        #expect(answer?["events"]?.text.contains("4567") == false)
        #expect(answer?["runs"]?.text.contains("+15551234567") == true)
    }

    @Test func aPlaceThatWasOnlyTypedIsNoAnswer() {
        let typed: JSONObject = ["city": ["formatted_address": "Atlantis", "country": .null]]
        let required = answered([["id": "city", "type": "location", "required": true]], typed)
        let fault = required?["errors"]?.array?.first?.object
        #expect(fault?["code"] == "required" && fault?["reason"] == "place")
        let optional = answered([["id": "city", "type": "location"]], typed)
        #expect(optional?["step_id"] == "t" && optional?["responses"] == ["s": [:]])
        let chosen: JSONObject = ["city": ["formatted_address": "Bern, Switzerland", "city": "Bern"]]
        #expect(answered([["id": "city", "type": "location", "required": true]], chosen)?["step_id"] == "t")
    }

    @Test(
        arguments: [
            (["type": "number", "config": ["min_value": 13, "max_value": 99]], 200, ["min": 13, "max": 99]),
            (["type": "number", "config": ["min_value": 1, "step": 2]], 2, ["min": 1, "step": 2]),
            (["type": "number", "config": ["decimal_places": 1]], 0.25, ["max": 1]),
            (["type": "text", "config": ["min_length": 3]], "ab", ["min": 3]),
            (["type": "rating"], 9, ["min": 1, "max": 5]), (["type": "slider"], 101, ["min": 0, "max": 100]),
            (["type": "date", "config": ["min_date": "2026-01-01"]], "2025-12-31", ["min": "2026-01-01"]),
            (["type": "chips", "config": ["max_chips": 1]], ["a", "b"], ["max": 1]),
            (
                ["type": "image_picker", "config": ["allowed_types": ["jpeg"]]], "data:image/png;base64,AAAA",
                ["types": ["jpeg"]]
            ),
        ] as [(JSONObject, JSONValue, JSONValue)])
    func aFaultHasItsBounds(_ field: JSONObject, _ answer: JSONValue, _ bounds: JSONValue) {
        var field = field
        field["id"] = "x"
        let fault = answered([.object(field)], ["x": answer])?["errors"]?.array?.first?.object
        #expect(fault?["bounds"]?.text.replacing(".0", with: "") == bounds.text)
    }

    @Test func whatIsHiddenIsNeitherRequiredNorKept() {
        let depends: JSONValue = ["field_id": "job", "operator": "equals", "value": "Employed"]
        let fields: JSONValue = [
            ["id": "job", "type": "text"],
            ["id": "company", "type": "text", "required": true, "depends_on": depends],
        ]
        let flow: JSONValue = [
            "steps": [["id": "s", "type": "form", "config": ["fields": fields]], ["id": "t", "type": "welcome"]]
        ]
        func responses(_ response: JSONValue) -> JSONValue? {
            let line: JSONValue = ["flow": flow, "actions": [["step_id": "s", "response": response]]]
            let run = FlowBatch.answer(line, now: FlowRuleTests.now).object?["runs"]?.array?.last?.object
            return run?["responses"]?.object?["s"] ?? run?["errors"]?.array?.first?.object?["pointer"]
        }
        #expect(responses(["company": "x"]) == [:])
        #expect(responses(["job": "Employed"]) == "/response/company")
        #expect(responses(["job": "Employed", "company": "x"]) == ["job": "Employed", "company": "x"])
    }

    @Test func blocksHaveAnswersAndHideWhatStandsInThem() {
        let blocks: JSONValue = [
            ["id": "mood", "type": "rating", "field_id": "stars", "required": true, "max": 5],
            [
                "id": "box", "type": "stack",
                "visibility_condition": ["type": "answer_equals", "answer_key": "stars", "value": 5],
                "children": [["id": "why", "type": "input_text", "required": true], ["type": "divider"]],
            ],
        ]
        let flow: JSONValue = ["steps": [["id": "s", "type": "custom", "config": ["content_blocks": blocks]]]]
        func last(_ response: JSONValue) -> JSONObject? {
            let line: JSONValue = ["flow": flow, "actions": [["step_id": "s", "response": response]]]
            return FlowBatch.answer(line, now: FlowRuleTests.now).object?["runs"]?.array?.last?.object
        }
        #expect(last([:])?["errors"]?.array?.first?.object?["pointer"] == "/response/stars")
        #expect(last(["stars": 5])?["errors"]?.array?.first?.object?["pointer"] == "/response/why")
        #expect(last(["stars": 4, "why": "x"])?["responses"] == ["s": ["stars": 4]])
        let shown = FlowBatch.answer(["flow": flow], now: FlowRuleTests.now).object?["runs"]?.array?.first
        let box = shown?.object?["step"]?.object?["content_blocks"]?.array?.last?.object
        #expect(box?["visible"] == false && box?["children"]?.array?.first?.object?["visible"] == false)
    }

    @Test func theLogHasNoFilesAndNoPasswords() {
        let fields: JSONValue = [
            ["id": "photo", "type": "image_picker"], ["id": "pass", "type": "password"],
            ["id": "own", "type": "text", "sensitive": true],
        ]
        let flow: JSONValue = ["steps": [["id": "s", "type": "form", "config": ["fields": fields]]]]
        let response: JSONValue = ["photo": "data:image/png;base64,AAAA", "pass": "hunter2", "own": "mine"]
        let line: JSONValue = ["flow": flow, "actions": [["step_id": "s", "response": response]]]
        let answer = FlowBatch.answer(line, now: FlowRuleTests.now).object
        let events = answer?["events"]?.text ?? ""
        #expect(!events.contains("hunter2") && !events.contains("mine") && !events.contains("AAAA"))
        #expect(events.contains(#""bytes":3"#))
        #expect(answer?["runs"]?.text.contains("hunter2") == false)
    }
}
