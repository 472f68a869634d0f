import BellwetherJSON
import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI

/// The locale of a request, on every route that reads one (docs/reference/messaging.md#languages).
@Suite struct LocaleTests {
    private static let app = "/v1/apps/shop"
    private let world: WorkerUnderTest

    private static let card: JSONValue = [
        "messages": [
            "m": [
                "surface": "card", "text": "T/Greeting", "trigger-if-all": ["US"],
            ],
            "n": ["surface": "card", "text": "T/Greeting"],
        ],
        "triggers": ["US": "language == 'en' && region == 'US'"],
    ]
    private static let questionnaire: JSONValue = [
        "kind": "questionnaire", "name": "Q",
        "schema": ["questions": [["id": "a", "type": "text", "title": "T/Greeting"]]],
    ]
    private static let flow: JSONValue = [
        "kind": "flow", "id": "tour",
        "steps": [
            [
                "id": "w", "type": "welcome",
                "config": ["title": "Hello", "localizations": ["zh-TW": ["title": "台灣"], "he": ["title": "שלום"]]],
            ]
        ],
    ]

    init() throws {
        world = try WorkerUnderTest()
        try put("/manifest", ["app_name": "app", "default_locale": "en", "surfaces": ["card"]])
        for (locale, text) in [("en", "Hello"), ("zh-TW", "台灣"), ("zh-CN", "中国"), ("he", "שלום"), ("id", "Halo")] {
            try put("/strings/\(locale)", ["T": ["Greeting": .string(text)]])
        }
        try put("/recipes/r", Self.card)
        try put("/recipes/q", Self.questionnaire)
        try put("/recipes/tour", Self.flow)
    }

    private func put(_ path: String, _ body: JSONValue) throws {
        let answer = try world.send(.put, Self.app + path, body: body)
        guard [200, 201].contains(answer.status) else { throw Failure("\(path): \(answer.status) \(answer.json.text)") }
    }

    private func poll(_ locale: String) throws -> JSONValue {
        try world.send(.get, Self.app + "/messages?client_id=a&surface=card&locale=\(locale)").json["messages"][0]
    }

    @Test(
        arguments: [
            ("zh-Hant-TW", "台灣", "zh-TW", "ltr"), ("zh-Hant", "台灣", "zh-TW", "ltr"), ("zh-HK", "台灣", "zh-TW", "ltr"),
            ("zh-Hans-CN", "中国", "zh-CN", "ltr"), ("zh_Hans", "中国", "zh-CN", "ltr"), ("iw", "שלום", "he", "rtl"),
            ("iw-IL", "שלום", "he", "rtl"), ("in-ID", "Halo", "id", "ltr"), ("sr-Latn", "Hello", "en", "ltr"),
        ] as [(String, String, String, String)])
    func `A poll has the texts that its reader reads`(
        _ locale: String, _ text: String, _ found: String, _ direction: String
    ) throws {
        let message = try poll(locale)
        #expect(message["text"] == .string(text))
        #expect(message["locale"] == .string(found))
        #expect(message["dir"] == .string(direction))
        let definition = try world.send(.get, Self.app + "/questionnaires/q?client_id=a&locale=\(locale)").json[
            "questionnaire"]
        #expect(definition["locale"] == .string(found))
    }

    @Test func `Built-in texts and a flow's own texts follow the same rules`() throws {
        let definition = try world.send(.get, Self.app + "/questionnaires/q?client_id=a&locale=iw").json[
            "questionnaire"]
        #expect(definition["strings"]["submitButton"] == "שליחה")
        #expect(definition["dir"] == "rtl")
        let run = try world.send(
            .post, Self.app + "/flows/tour/runs", body: ["client_id": "a", "locale": "zh-Hant-TW"])
        #expect(run.json["step"]["title"] == "台灣", "\(run.json.text)")
    }

    @Test func `Keywords and extensions cost no answer on any route`() throws {
        let locales = ["en_US@rg=gbzzzz", "en-US-u-rg-gbzzzz"]
        for locale in locales {
            let escaped = locale.replacing("@", with: "%40").replacing("=", with: "%3D")
            #expect(try poll(escaped)["key"] == "m")
            let gets = ["/questionnaires/q?client_id=a&locale=", "/flows/tour?client_id=a&locale="]
            for path in gets { #expect(try world.send(.get, Self.app + path + escaped).status == 200, "\(path)") }
            let context: JSONValue = ["locale": .string(locale)]
            let posts: [(String, JSONValue)] = [
                ("/messages", ["client_id": "a", "context": context, "surfaces": ["card"]]),
                ("/flows/tour/runs", ["client_id": .string("f" + locale), "locale": .string(locale)]),
                ("/events", ["client_id": "a", "context": context, "events": [["type": "behavior", "name": "x"]]]),
                ("/explain", ["context": context, "surface": "card"]),
            ]
            for (path, body) in posts {
                let answer = try world.send(.post, Self.app + path, body: body)
                #expect((200...201).contains(answer.status), "\(path): \(answer.status) \(answer.json.text)")
            }
        }
    }

    @Test func `A text that is no tag is refused on every route`() throws {
        for path in ["/messages?client_id=a&locale=e+n", "/questionnaires/q?client_id=a&locale=-"] {
            #expect(try world.send(.get, Self.app + path).status == 400, "\(path)")
        }
        let context: JSONValue = ["locale": "en-"]
        #expect(
            try world.send(.post, Self.app + "/messages", body: ["client_id": "a", "context": context]).status == 400)
        #expect(
            try world.send(.post, Self.app + "/flows/tour/runs", body: ["client_id": "a", "locale": "en-"]).status
                == 400)
        #expect(try world.send(.put, Self.app + "/strings/en-u-ca-x", body: [:]).status != 200)
    }
}
