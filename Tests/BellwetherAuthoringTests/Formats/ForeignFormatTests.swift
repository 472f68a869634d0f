import BellwetherAuthoring
import BellwetherJSON
import Testing

/// A document of another system is recognised by the keys of its format.
@Suite struct ForeignFormatTests {
    private static let samples: [(text: String, format: ForeignFormat?)] = [
        (#"{"slug": "s", "name": "N", "schema": {"questions": []}}"#, .questionnaire),
        (#"{"eligible": true, "questionnaire": {"schema": {}}}"#, .questionnaire),
        (#"{"questionnaires": []}"#, .questionnaires), (#"[{"slug": "s", "schema": {}}]"#, .questionnaires),
        (#"{"version": 1, "questions": [{"id": "a", "type": "nps", "title": "T"}]}"#, .schema),
        (#"{"id": "a", "type": "nps", "title": "T"}"#, .schemaQuestions),
        (#"[{"id": "a", "type": "text", "title": "T"}]"#, .schemaQuestions),
        (#"{"questions": [{"id": "a", "question_type": "single_text_area"}], "submit": {}}"#, .survey),
        (#"{"id": "a", "question_type": "single_text_area"}"#, .surveyQuestions),
        (#"[1, {"id": "a", "question_type": "single_text_area"}]"#, .surveyQuestions),
        (#"{"id": "f", "steps": []}"#, .flow), (#"{"flows": {}, "active_flow_id": null}"#, .flows),
        (#"[{"slug": "e", "branches": []}]"#, .experiments), (#"{"changes": []}"#, .experiments),
        (#"{"kind": "survey", "questions": [{"question_type": "x"}]}"#, nil), (#"{"data": []}"#, nil),
        (#"{"messages": {}, "questions": [{"type": "x"}]}"#, nil), (#"{"branches": [], "flows": {}}"#, nil),
        (#"{"questions": [{"id": "q", "type": "nps", "headline": {"default": "H"}}], "triggers": []}"#, .other),
        (#"{"title": "T", "fields": [{"id": "f", "title": "Q", "type": "short_text"}], "actions": {}}"#, .other),
        (
            #"{"pages": [{"name": "p", "elements": [{"type": "text", "name": "q", "title": "Q"}]}], "triggers": []}"#,
            .other
        ),
        (#"{"formId": "x", "info": {"title": "T"}, "items": [{"itemId": "i", "title": "Q"}]}"#, .other),
        (#"{"name": "N", "questions": [{"type": "open", "question": "Q"}], "schemaVersion": 3}"#, .other),
        (#"{"SurveyEntry": {}, "SurveyElements": [{"Element": "BL"}]}"#, .other),
        (#"{"steps": [{"target": "a", "content": "c"}], "styles": {}}"#, .other),
        (#"{"messages": {}}"#, nil), (#"{"triggers": {}}"#, nil), (#"{"styles": {}}"#, nil),
        (#"{"triggers": []}"#, nil),
        (#"{"questions": [{"id": "a", "type": "nps", "title": "T"}], "triggers": []}"#, .schema),
        (#"{"questions": [{"question_type": "single_text_area"}], "triggers": [], "styles": {}}"#, .survey),
        (#"[{"kind": "flow", "steps": []}]"#, nil), ("[]", nil), ("{}", nil), ("7", nil), (#"["schema"]"#, nil),
    ]

    @Test(arguments: samples.indices)
    func `A document is what its keys say`(_ index: Int) throws {
        let sample = Self.samples[index]
        #expect(ForeignFormat(try JSONValue(parsing: Array(sample.text.utf8))) == sample.format)
    }

    @Test(arguments: ForeignFormat.allCases)
    func `Each says what it looks like, and what takes it`(_ format: ForeignFormat) {
        #expect(format.advice.hasPrefix("it looks like ") && format.advice.contains("bellwether "))
    }
}
