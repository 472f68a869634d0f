import BellwetherJSON
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI

/// A slug is its bytes: `é` and `e` with an accent behind it are two slugs
/// (docs/reference/http-api.md#times-and-identifiers).
@Suite struct SameSlugTests {
    private static let (composed, decomposed) = ("caf%C3%A9", "cafe%CC%81")

    private static let documents: [JSONValue] = [
        [
            "kind": "survey", "name": "Coffee", "hosted": true,
            "questions": [["question_type": "single_text_field", "id": "q", "question": "Good?", "required": false]],
        ],
        [
            "kind": "flow", "name": "Coffee", "hosted": true,
            "steps": [["id": "s", "type": "welcome", "config": ["title": "Hi"]]],
        ],
    ]

    /// What a route answers about a slug that does not exist, it answers about another spelling of one that does.
    @Test(arguments: documents)
    func `No route takes another spelling of a slug for the slug`(document: JSONValue) throws {
        let world = try WorkerUnderTest()
        let put = try world.send(.put, "/v1/apps/app/recipes/" + Self.composed, body: document)
        #expect(put.status == 201, "\(put.json.text)")
        var asked = 0
        for route in Routes.all where route.pattern.contains("{slug}") {
            let path = route.pattern.replacing("{app}", with: "app").replacing("{revision}", with: "1")
                .replacing("{response_id}", with: "r").replacing("{client_id}", with: "c")
            guard !path.replacing("{slug}", with: "").contains("{") else { continue }
            func status(_ slug: String) throws -> Int {
                let body: JSONValue? = route.method == .get || route.method == .head ? nil : ["client_id": "c"]
                return try world.send(route.method, path.replacing("{slug}", with: slug), body: body).status
            }
            let (other, none) = (try status(Self.decomposed), try status("nothing-has-this-slug"))
            // A write that would make a second spelling is refused as such.
            #expect(other == none || other == 422, "\(route.method.name) \(path): \(other), \(none)")
            #expect(other >= 400 || other == none, "\(route.method.name) \(path): \(other)")
            asked += 1
        }
        #expect(asked > 15, "\(asked)")
    }
}
