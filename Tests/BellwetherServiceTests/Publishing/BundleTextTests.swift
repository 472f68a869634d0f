import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// A bundle that is written and read again gives the same compiled app.
@Suite struct BundleTextTests {
    private var editing = Editing()

    init() throws { try editing.manifest(["messaging": ["styles": ["S": ["max-display-count": 3]]]]) }

    private var text: [UInt8] { Array((editing.snapshot?.bundle.pieces ?? []).joined()) }

    private var document: JSONObject { (try? JSONValue(parsing: text))?.object ?? [:] }

    private static func survey(_ options: JSONValue, style: String = "S") -> JSONValue {
        [
            "messages": [
                "m": [
                    "surface": "microsurvey", "text": "t", "style": .string(style), "experiment": "{experiment}",
                    "microsurveyConfig": ["options": options],
                ]
            ]
        ]
    }

    /// An experiment whose branches patch one message, each in another way.
    private static func experiment(_ slug: Identifier, date: String? = nil, _ values: [JSONValue]) -> JSONValue {
        var recipe: JSONObject = [
            "schemaVersion": "1.12.0", "slug": .string(slug), "userFacingName": "n", "userFacingDescription": "d",
            "isEnrollmentPaused": false, "proposedEnrollment": 7,
            "bucketConfig": [
                "randomizationUnit": "nimbus_id", "namespace": .string(slug), "start": 0, "count": 10_000,
                "total": 10_000,
            ],
            "branches": .array(
                values.enumerated().map { index, value in
                    [
                        "slug": .string("b\(index)"), "ratio": 1,
                        "features": [["featureId": "messaging", "value": value]],
                    ]
                }),
        ]
        if let date { recipe["publishedDate"] = .string(date) }
        return .object(recipe)
    }

    private func expectSameApp(_ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let findings = Findings()
        let bundle = CompiledAppBundle.read(text, findings: findings)
        #expect(findings.faults.isEmpty && findings.warnings.isEmpty, comment, sourceLocation: sourceLocation)
        let read = try #require(bundle?.compiledApp.catalog, comment, sourceLocation: sourceLocation)
        let own = try #require(editing.snapshot?.catalog, sourceLocation: sourceLocation)
        #expect(read.revision == own.revision, comment, sourceLocation: sourceLocation)
        #expect(
            read.messages.map { "\($0.key) \($0.revision) \($0.facts) \($0.definition)" }
                == own.messages.map { "\($0.key) \($0.revision) \($0.facts) \($0.definition)" },
            comment, sourceLocation: sourceLocation)
        #expect(
            read.malformed.map { "\($0.facts.key) \($0.revision)" }
                == own.malformed.map { "\($0.facts.key) \($0.revision)" },
            comment, sourceLocation: sourceLocation)
        #expect(read.triggers.count == own.triggers.count, comment, sourceLocation: sourceLocation)
    }

    @Test mutating func keysAndOrder() throws {
        try editing.recipe("z", Self.survey(["a"]))
        try editing.recipe("e", Self.experiment("e", date: "2026-01-01", [[:]]))
        try editing.recipe("a", Self.experiment("a", date: "2026-02-01", [[:]]))
        try editing.recipe("d", Self.survey(["d"]), draft: true)
        _ = try editing.put(.putStrings(locale: "de", Array(#" {"T": {"k": "v"}} "#.utf8)))
        #expect(
            document.keys == [
                "revision", "generated_at", "manifest", "recipes", "strings", "manifest_revision", "recipe_revisions",
                "paused", "message_revisions",
            ])
        #expect(document["recipes"]?.array?.map { $0.object?["slug"] } == [nil, "e", "a"])
        #expect(
            document["recipe_revisions"] == [
                ["slug": "z", "revision": 1], ["slug": "e", "revision": 1], ["slug": "a", "revision": 1],
            ])
        #expect(document["strings"] == ["de": ["T": ["k": "v"]]])
        #expect(document["revision"] == .integer(Int64(editing.snapshot?.catalog.revision ?? 0)))
        #expect(document["generated_at"] == .string(Scene.start.rfc3339))
        #expect(document["manifest"]?.object?["app_name"] == SampleManifest.with().object?["app_name"])
    }

    @Test mutating func documentsAreTheirAuthorsBytes() throws {
        let padding = String(repeating: " ", count: 300)
        let text = Array("{\"messages\": {\(padding)\"m\": {\"text\":\"\\u0074\"} }, \"x\": 1.50}".utf8)
        _ = try editing.put(.putRecipe(slug: "r", text, asDraft: false))
        let pieces = try #require(editing.snapshot?.bundle.pieces)
        #expect(pieces.contains(text))
        #expect(document["recipes"] == [try JSONValue(parsing: text)])
    }

    @Test func emptyApp() throws {
        #expect(document["recipes"] == [] && document["strings"] == [:] && document["paused"] == [])
        try expectSameApp("nothing but a manifest")
    }

    @Test mutating func servedRevisionsComeAlong() throws {
        try editing.recipe("r", Self.survey(["a"]))
        #expect(document["message_revisions"] == [:], "the document's own number")
        try expectSameApp("one")
        try editing.manifest(["messaging": ["styles": ["S": ["max-display-count": 5]]]])
        #expect(document["message_revisions"]?.object?.keys == ["m"])
        try expectSameApp("a style has changed")
        try editing.recipe("s", Self.survey(["b"]))
        try expectSameApp("two recipes at 1")
        try editing.recipe("e", Self.experiment("e", [Self.survey(["c"]), Self.survey(["d"]), [:]]))
        try expectSameApp("three forms")
        try editing.recipe("f", Self.experiment("f", [["styles": ["S": ["max-display-count": 9]]], [:]]))
        try expectSameApp("six forms")
        editing.restart()
        try expectSameApp("after a restart")
    }

    @Test mutating func malformedOnesToo() throws {
        try editing.recipe("e", Self.experiment("e", [Self.survey(["c"], style: "NOPE"), Self.survey(["d"])]))
        try expectSameApp("malformed in one branch")
    }

    @Test mutating func pausedRecipesAreBesideTheLiveOnes() throws {
        let document = Self.experiment("p", [Self.survey(["c"])])
        try editing.recipe("p", document)
        _ = try editing.put(.setState(slug: "p", .paused))
        #expect(self.document["recipes"] == [] && self.document["recipe_revisions"] == [])
        #expect(self.document["paused"] == [["slug": "p", "revision": 1, "recipe": document]])
        try expectSameApp("paused")
        let bundle = try #require(CompiledAppBundle.read(text))
        #expect(!bundle.compiledApp.experiments.isEmpty)
        _ = try editing.put(.setState(slug: "p", .ended))
        #expect(self.document["paused"] == [] && self.document["recipes"] == [])
    }

    @Test mutating func draftsBesideAndRecipesOfTomorrowAreNotThere() throws {
        let live = Self.survey(["a"])
        try editing.recipe("r", live)
        try editing.recipe("r", Self.survey(["b"]), draft: true)
        var later = Self.experiment("e", [[:]]).object ?? [:]
        later["startDate"] = .string(Scene.start.adding(seconds: 60).rfc3339)
        try editing.recipe("e", .object(later))
        #expect(document["recipes"] == [live])
        #expect(document["recipe_revisions"] == [["slug": "r", "revision": 1]])
        try expectSameApp("a draft and a date")
        editing.now = Scene.start.adding(seconds: 61)
        editing.follow()
        #expect(document["recipes"] == [live, .object(later)])
        #expect(document["generated_at"] == .string(editing.now.rfc3339))
        try expectSameApp("it has begun")
    }

    @Test mutating func timeIsThatOfThePublish() throws {
        let app = editing.app
        func bundle(at time: Timestamp, _ change: PublishRequest.Change) throws -> (PublishedCatalog, JSONValue?) {
            var editor = CatalogEditor(editing.catalog, source: .api, now: time)
            _ = try editor.apply(PublishRequest(app: app, change: change))
            let pieces = editor.catalog.snapshots[app]?.bundle.pieces ?? []
            return (editor.catalog, try JSONValue(parsing: Array(pieces.joined())).object?["generated_at"])
        }
        let later = Scene.start.adding(seconds: 60)
        let recipe = PublishRequest.Change.putRecipe(slug: "r", Self.survey(["a"]).encoded, asDraft: false)
        #expect(try bundle(at: later, recipe).1 == .string(later.rfc3339))
        #expect(document["generated_at"] == .string(Scene.start.rfc3339))
        editing.restart()
        #expect(document["generated_at"] == .string(Scene.start.rfc3339), "it is not the time of the start")
    }
}
