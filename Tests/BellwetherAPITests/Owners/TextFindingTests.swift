import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// Findings of texts and versions that nothing fills or compares (docs/findings.md).
@Suite struct TextFindingTests {
    private func warnings(_ document: JSONValue) throws -> [String] {
        let answer = try WorkerUnderTest().send(.post, "/v1/apps/app/recipes/validate?slug=r", body: document)
        #expect(answer.status == 200, "\(answer.json.text)")
        return (answer.json.object?["warnings"]?.array ?? []).compactMap { finding in
            finding.object.map { "\($0["code"]?.string ?? "") \($0["pointer"]?.string ?? "")" }
        }
    }

    private static func questionnaire(_ title: String) -> JSONValue {
        [
            "kind": "questionnaire", "name": "N",
            "schema": ["version": 1, "questions": [["id": "q", "type": "text", "title": .string(title)]]],
        ]
    }

    private static func message(_ text: String) -> JSONValue {
        ["messages": ["m": ["text": .string(text), "surface": "card", "trigger-if-all": ["ALWAYS"]]]]
    }

    private static func survey(_ question: String) -> JSONValue {
        [
            "kind": "survey",
            "questions": [["id": "q", "question": .string(question), "question_type": "single_text_field"]],
        ]
    }

    @Test(arguments: [questionnaire, message, survey]) func `Braces that nothing fills are told in every kind`(
        _ document: @Sendable (String) -> JSONValue
    ) throws {
        #expect(try warnings(document("Hello {{user.name}}")).contains { $0.hasPrefix("unknown_template ") })
        for text in ["Hello {name}", "Hello", "Hello }}"] {
            #expect(try !warnings(document(text)).contains { $0.hasPrefix("unknown_template ") })
        }
    }

    /// A text that is no id works, so it is no warning.
    @Test func `Texts without a translation are a note where the app has another language`() throws {
        let world = try WorkerUnderTest()
        func validated() throws -> JSONObject {
            let path = "/v1/apps/app/recipes/validate?slug=r&strict=true"
            return try world.send(.post, path, body: Self.message("Hello")).json.object ?? [:]
        }
        #expect(try validated() == ["warnings": []])
        #expect(try world.send(.put, "/v1/apps/app/strings/de", body: ["T": ["A": "a"]]).status == 201)
        let answer = try validated()
        #expect(answer["warnings"] == [])
        #expect(answer["notes"]?[0]["code"] == "plain_text")
        #expect(answer["notes"]?[0]["pointer"] == "/messages/m/text")
    }

    @Test func `An attribute that is no text has no versions`() throws {
        func quota(_ attribute: String) -> JSONValue {
            var document = Self.questionnaire("Q?").object ?? [:]
            document["offer"] = [
                "surface": "card", "text": "Hi",
                "pacing": [
                    "quotas": [
                        [
                            "name": "n", "limit": 5,
                            "when": ["ref": .string("attr.\(attribute)"), "op": "version_gte", "value": "2.0-beta"],
                        ]
                    ]
                ],
            ]
            return .object(document)
        }
        #expect(try warnings(quota("age")).contains("type_mismatch /offer/pacing/quotas/0/when/ref"))
        #expect(try !warnings(quota("app_version")).contains { $0.hasPrefix("type_mismatch") })
    }
}
