import BellwetherBase
import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// The token of a hosted page (docs/web.md#the-hosted-page).
@Suite struct PageTokenTests {
    private static let secret: [UInt8] = [1, 2, 3]
    private let world: WorkerUnderTest

    /// SHA-256 of "test", the token of an owner.
    private static let digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    private static let recipe: JSONValue = [
        "kind": "questionnaire", "name": "Q", "hosted": true,
        "schema": ["version": 1, "questions": [["id": "q1", "type": "text", "title": "?"]]],
    ]

    init() throws {
        var settings = APISettings()
        settings.publicInterfaces = [.hosted]
        settings.tokens = TokenTable([try Token("owner:owner:app:\(Self.digest)")])
        world = try WorkerUnderTest(settings: settings)
        for slug in ["q", "other"] { try put(Self.recipe, slug) }
    }

    private func put(_ recipe: JSONValue, _ slug: String = "q") throws {
        let headers = [(name: "Authorization", value: "Bearer test")]
        let answer = try world.send(.put, "/v1/apps/app/recipes/\(slug)", headers: headers, body: recipe)
        #expect(answer.status < 300, "\(answer.json.text)")
    }

    private func setState(_ state: JSONValue) throws {
        let headers = [(name: "Authorization", value: "Bearer test")]
        let path = "/v1/apps/app/recipes/q/state"
        #expect(try world.send(.post, path, headers: headers, body: ["state": state]).status == 200)
    }

    /// The statuses of the page's requests: a read, a save and a dismissal.
    private func statuses() throws -> [Int] {
        let headers = [(name: "Authorization", value: "Bearer " + token())]
        let id = JSONValue.string("0123456789abcdefghijkl")
        let requests: [(String, JSONValue)] = [
            ("questionnaires/q/responses", ["client_id": id, "answers": ["q1": "x"]]),
            ("questionnaires/dismiss", ["client_id": "somebody"]),
        ]
        let first = try status("/v1/apps/app/questionnaires/q?client_id=c", token())
        return [first]
            + (try requests.map { try world.send(.post, "/v1/apps/app/" + $0, headers: headers, body: $1).status })
    }

    private func token(_ slug: String = "q", app: String = "app", after seconds: Int64 = 60) -> String {
        PageToken(app: Identifier(app), slug: Identifier(slug), expires: world.now.adding(seconds: seconds)).text(
            secret: Self.secret)
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

    @Test func itEndsWithThePage() throws {
        #expect(try statuses() == [200, 201, 200])
        var recipe = try #require(Self.recipe.object)
        recipe["hosted"] = false
        try put(.object(recipe))
        #expect(try statuses() == [401, 401, 401])
        try put(Self.recipe)
        #expect(try statuses() == [200, 200, 200])
        var settings = world.worker.settings
        settings.publicInterfaces = []
        world.worker.receive(Publication(snapshot: world.snapshot, settings: settings))
        #expect(try statuses() == [401, 401, 401])
    }

    @Test func whileTheRecipeIsPausedItOpensNothing() throws {
        try setState("paused")
        let headers = [(name: "Authorization", value: "Bearer " + token())]
        let question = try world.send(.get, "/v1/apps/app/questionnaires/q?client_id=c", headers: headers)
        #expect(question.json == ["eligible": false, "reason": "inactive"])
        #expect(try statuses() == [200, 409, 403])
        try setState("live")
        #expect(try statuses() == [200, 201, 200])
    }

    @Test func itEndsWithItsDay() throws {
        #expect(try status("/v1/apps/app/questionnaires/q?client_id=c", token(after: -1)) == 401)
    }

    @Test(arguments: ["page.61.71.99999999999.00", "page.61.71", "page", "page.zz.71.1.00"])
    func whatWasNotMadeHereIsUnknown(_ text: String) throws {
        #expect(try status("/v1/apps/app/questionnaires/q?client_id=c", text) == 401)
    }
}
