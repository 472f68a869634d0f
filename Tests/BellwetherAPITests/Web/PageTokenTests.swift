import BellwetherBase
import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// The token of a hosted page (docs/web.md#the-hosted-page).
@Suite struct PageTokenTests {
    private static let secret: [UInt8] = [1, 2, 3]
    private let world: WorkerUnderTest

    init() throws {
        var settings = APISettings.open
        settings.isOpen = false
        let recipe: JSONValue = [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "q1", "type": "text", "title": "?"]]],
        ]
        world = try WorkerUnderTest(recipes: ["q": recipe, "other": recipe], settings: settings)
    }

    private func token(_ slug: String = "q", app: String = "app", after seconds: Int64 = 60) -> String {
        PageToken(app: app, slug: slug, expires: world.now.adding(seconds: seconds)).text(secret: Self.secret)
    }

    private func status(_ target: String, _ token: String) throws -> Int {
        let headers = [(name: "Authorization", value: "Bearer " + token)]
        return world.send(try Request(.get, target, headers: headers)).status
    }

    @Test func aTokenIsReadAsItWasWritten() throws {
        let token = PageToken(app: "a.b", slug: "ü", expires: Timestamp(milliseconds: 5000))
        let read = try #require(PageToken(token.text(secret: Self.secret), secret: Self.secret))
        #expect(read.app == "a.b" && read.slug == "ü" && read.expires == token.expires)
        #expect(PageToken(token.text(secret: Self.secret), secret: [9]) == nil)
    }

    @Test func itOpensItsSlugsClientRoutes() throws {
        #expect(try status("/v1/apps/app/questionnaires/q?client_id=c", token()) == 200)
        #expect(try status("/v1/apps/app/questionnaires/other?client_id=c", token()) == 403)
        #expect(try status("/v1/apps/app/messages?client_id=c", token()) == 403)
        #expect(try status("/v1/apps/app/recipes/q", token()) == 403)
        #expect(try status("/v1/apps/app/questionnaires/q?client_id=c", token(app: "two")) == 403)
    }

    @Test func itEndsWithItsDay() throws {
        #expect(try status("/v1/apps/app/questionnaires/q?client_id=c", token(after: -1)) == 401)
    }

    @Test(arguments: ["page.61.71.99999999999.00", "page.61.71", "page", "page.zz.71.1.00"])
    func whatWasNotMadeHereIsUnknown(_ text: String) throws {
        #expect(try status("/v1/apps/app/questionnaires/q?client_id=c", text) == 401)
    }
}
