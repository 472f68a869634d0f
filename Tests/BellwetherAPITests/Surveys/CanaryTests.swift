import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI

/// The parts of a definition that are only for the daemon are in no response, except responses to owners
/// (docs/reference/surveys.md#recipes).
@Suite struct CanaryTests {
    private static let canary = "CANARY"

    private static func recipe(_ kind: String, _ more: JSONObject) -> JSONValue {
        var recipe: JSONObject = [
            "kind": .string(kind), "name": "Q",
            "notify": ["url": .string("https://\(canary).example/x"), "secret_name": .string(canary)],
            "predicates": [canary: "age > 1"],
            "offer": ["surface": "card", "text": "?"],
        ]
        for member in more { recipe[member.key] = member.value }
        return .object(recipe)
    }

    private func world() throws -> WorkerUnderTest {
        let questionnaire = Self.recipe(
            "questionnaire",
            ["schema": ["version": 1, "questions": [["id": "q", "type": "text", "title": "?"]]]])
        let survey = Self.recipe(
            "survey",
            [
                "questions": [["id": "q", "question": "?", "question_type": "text_field"]],
                "submit": ["url": .string("https://\(Self.canary).example/y"), "button_title": "Go"],
            ])
        let hook: JSONValue = [
            "enabled": true, "webhook_url": .string("https://\(Self.canary).example/z"),
            "headers": ["X-Key": .string("{{secret.\(Self.canary)}}")],
        ]
        let flow = Self.recipe(
            "flow",
            [
                "id": "flow", "predicates": [:],
                "steps": [
                    ["id": "s", "type": "welcome", "config": ["title": "Hi"], "hook": hook, "render_hook": hook],
                    ["id": "c", "type": "interactive_chat", "config": ["webhook": hook]],
                ],
            ])
        return try WorkerUnderTest(recipes: ["questionnaire": questionnaire, "survey": survey, "flow": flow])
    }

    /// Every route that needs no token of an owner or administrator, once for each kind of recipe.
    @Test func noRouteTellsASecret() throws {
        let world = try world()
        var asked = 0
        let closed: [Ability] = [.read, .texts, .respond, .publish, .admin]
        for route in Routes.all where !closed.contains(where: { route.access == .needs($0) }) {
            for slug in ["questionnaire", "survey", "flow"] {
                let path = route.pattern.replacing("{app}", with: "app").replacing("{slug}", with: slug)
                    .replacing("{client_id}", with: "c")
                guard !path.contains("{") else { continue }
                let body: JSONValue? =
                    route.method == .get
                    ? nil : ["client_id": "c", "user_id": "u", "answers": ["q": "x"], "context": [:], "surfaces": []]
                let query = route.method == .get && path.hasPrefix("/v1/apps/app/") ? "?client_id=c" : ""
                let answer = try world.send(route.method, path + query, body: body)
                let text = String(decoding: answer.body, as: UTF8.self)
                #expect(!text.contains(Self.canary), "\(route.method.name) \(path)")
                if answer.status == 200 || answer.status == 201 { asked += 1 }
            }
        }
        #expect(asked >= 20, "\(asked)")
        #expect(!world.store.records.joined().contains(Self.canary))
    }
}
