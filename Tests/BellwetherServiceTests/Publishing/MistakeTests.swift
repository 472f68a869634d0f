import BellwetherAuthoring
import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Foundation
import TestSupport
import Testing

@testable import BellwetherService

/// Definitions that are readable, but do not mean what their authors intended. Each gives one sentence; correct
/// definitions give none (docs/findings.md).
@Suite struct MistakeTests {
    private static let folder = SampleFolders.root.appending(path: "Tests/BellwetherServiceTests/Publishing")
    private static let kinds = ["questionnaire", "survey", "flow", "message"]

    private static func read(_ url: URL) throws -> JSONValue {
        try JSONValue(parsing: [UInt8](Data(contentsOf: url)), limits: .kept)
    }

    private static func entries(_ path: String) -> [URL] {
        let found = try? FileManager.default.contentsOfDirectory(
            at: folder.appending(path: path), includingPropertiesForKeys: nil)
        return (found ?? []).filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
    }

    private static let files = kinds.flatMap { entries("Mistakes/\($0)") }

    private static let manifest = Manifest.read(
        [
            "app_name": "a", "default_locale": "en", "surfaces": ["card", "microsurvey"],
            "attributes": ["plan": "string", "name": "string", "deep": "object"],
            "messaging": ["styles": ["MICROSURVEY": ["priority": 50]], "triggers": ["SECOND_HOMEPAGE_VIEW": "true"]],
        ], findings: Findings())

    /// The findings for a new recipe.
    private static func findings(_ document: JSONValue, _ slug: Identifier) throws -> Findings {
        let findings = Findings()
        var intake = RecipeIntake(slug: slug, manifest: try #require(manifest), now: Scene.start)
        intake.context = CheckContext(strings: StringTables(defaultLocale: "en", locales: [:]))
        _ = intake.read(document, findings: findings)
        return findings
    }

    @Test(arguments: files)
    func `A mistake is told once, in one sentence`(_ file: URL) throws {
        let entry = try Self.read(file)
        let findings = try Self.findings(entry["recipe"], Identifier(file.deletingPathExtension().lastPathComponent))
        let isFault = entry["finding"]["severity"] == "error"
        let told = isFault ? findings.faults : findings.warnings
        #expect((isFault ? findings.warnings : findings.faults).isEmpty)
        #expect(told.count == 1, "\(told)")
        let finding = try #require(told.first)
        #expect(finding.code == entry["finding"]["code"].string)
        #expect(finding.pointer.description == entry["finding"]["pointer"].string)
        #expect(finding.message == entry["finding"]["message"].string)
        #expect(finding.suggestion == entry["finding"]["did_you_mean"].string)
    }

    /// A questionnaire with an offer, quotas and a notification that all refer to its questions.
    private static let whole: JSONValue = [
        "kind": "questionnaire", "name": "Q",
        "schema": [
            "version": 1,
            "questions": [
                ["id": "score", "type": "nps", "title": "Tell a friend?"],
                [
                    "id": "sure", "type": "single_choice", "title": "Sure?",
                    "options": [["id": "yes", "label": "Yes"], ["id": "no", "label": "No"]],
                ],
                [
                    "id": "why", "type": "text", "title": "Why?",
                    "show_if": ["id": "sure", "operation": "equals", "value": "no"],
                ],
            ],
        ],
        "offer": [
            "surface": "card", "text": "A minute?", "trigger": ["launches": 3],
            "pacing": [
                "start": "2090-01-01T00:00:00Z", "display": "some", "limit": 3, "cooldown_seconds": 5,
                "sample": ["count": 1, "total": 2], "tags": ["a"], "response_limit": 5,
                "quotas": [
                    [
                        "name": "n", "limit": 4, "action": "end",
                        "when": [
                            "all": [
                                ["op": "eq", "ref": "answer.sure", "value": "yes"],
                                [
                                    "not": [
                                        "any": [["op": "gt", "ref": "answer.score", "value": 3, "on_missing": true]]
                                    ]
                                ],
                            ]
                        ],
                    ]
                ],
            ],
        ],
        "notify": [
            "url": "https://e.org/", "format": "json",
            "when": ["op": "lt", "ref": "answer.score", "value": 6, "compare": "number"],
        ],
    ]

    /// Each variant of a value with one misspelled key, and the position of that key.
    private static func misspelled(_ value: JSONValue) -> [(value: JSONValue, place: String)] {
        if let elements = value.array {
            return elements.indices.flatMap { index in
                misspelled(elements[index]).map { variant in
                    var changed = elements
                    changed[index] = variant.value
                    return (.array(changed), "/\(index)\(variant.place)")
                }
            }
        }
        guard let object = value.object else { return [] }
        return object.flatMap { key, member -> [(value: JSONValue, place: String)] in
            let slip = key + "q"
            let renamed = JSONObject(object.map { ($0.key == key ? slip : $0.key, $0.value) })
            return [(.object(renamed), "/\(slip)")]
                + misspelled(member).map { variant in
                    var changed = object
                    changed[key] = variant.value
                    return (.object(changed), "/\(key)\(variant.place)")
                }
        }
    }

    @Test func `A misspelled key is told once wherever it stands, and nothing that follows from it`() throws {
        #expect(try Self.findings(Self.whole, "q").faults == [])
        #expect(try Self.findings(Self.whole, "q").warnings == [])
        let variants = Self.misspelled(Self.whole)
        #expect(variants.count > 60)
        for (document, place) in variants where place != "/kindq" {
            let findings = try Self.findings(document, "q")
            let told = findings.faults + findings.warnings
            #expect(told.map { "\($0.code) \($0.pointer)" } == ["unknown_key \(place)"])
        }
    }

    @Test(arguments: ["questionnaire", "survey", "flow"])
    func `There are ten of each kind`(_ kind: String) { #expect(Self.entries("Mistakes/\(kind)").count >= 10) }

    @Test func `Nothing is told of the samples and of their formats' own examples`() throws {
        for (name, files) in SampleFolders.files.apps {
            let text = try #require(files.manifest).text
            let document = try JSONValue(parsing: text)
            let manifest = try #require(Manifest.read(document, findings: Findings()))
            for (slug, file) in files.recipes {
                var intake = RecipeIntake(slug: slug, manifest: manifest, now: Scene.start)
                intake.context = CheckContext(strings: StringTables(defaultLocale: "en", locales: [:]))
                let found = Findings()
                _ = intake.read(try JSONValue(parsing: file.text), findings: found)
                let codes = Set(found.warnings.map(\.code)).subtracting(["alias", "unknown_string_id"] as [String])
                #expect(found.faults.isEmpty && codes.isEmpty, "\(name)/\(slug): \(codes)")
            }
        }
        for file in Self.entries("Seeds") {
            let found = try Self.findings(Self.read(file), Identifier(file.deletingPathExtension().lastPathComponent))
            let codes = Set(found.warnings.map(\.code)).subtracting(["alias", "unknown_string_id"] as [String])
            #expect(found.faults.isEmpty && codes.isEmpty, "\(file.lastPathComponent): \(found.warnings)")
        }
    }

    /// Some conformance vectors contain mistakes on purpose: a picker of one year, bounds in the wrong order.
    private static let traps: [String: Set<String>] = [
        "flows 16": ["unknown_answer"], "surveys 34": ["one_choice"], "surveys 40": ["unused_key"],
        "surveys 46": ["one_choice"], "surveys 60": ["dates"], "surveys 81": ["one_choice"],
    ]

    @Test(arguments: [("flows", "flow"), ("surveys", "survey")])
    func `Nothing is told of the vectors but the traps that they set`(_ name: String, _ kind: String) throws {
        let old: Set = [
            "never_true", "always_true", "unreachable", "unknown_predicate", "unknown_target", "unknown_step", "never",
        ]
        let page = SampleFolders.root.appending(path: "vectors/\(name).json")
        for (index, vector) in (try Self.read(page)["cases"].array ?? []).enumerated() {
            guard var definition = (vector["flow"].object ?? vector["definition"].object) else { continue }
            definition["kind"] = .string(kind)
            let found = try Self.findings(.object(definition), "v")
            let codes = Set(found.warnings.map(\.code)).subtracting(old)
            #expect(codes == Self.traps["\(name) \(index)"] ?? [], "\(name) \(index): \(found.warnings)")
        }
    }
}

/// A document that an older version accepted is still served; only new publishes are checked
/// (docs/reference/http-api.md#faults-and-warnings).
@Suite struct StoredMistakeTests {
    private static func recipe(_ text: String) -> JSONValue {
        [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "q", "type": "text", "title": .string(text)]]],
            "offer": ["surface": "homescreen", "text": "Hi", "trigger": ["launchs": 3], "pacing": ["limit": "two"]],
        ]
    }

    private static func editor(_ source: DocumentSource) throws -> CatalogEditor {
        func document(_ value: JSONValue) -> StoredDocument {
            StoredDocument(revision: 1, source: source, text: value.encoded, publishedAt: Scene.start)
        }
        let manifest = SampleManifest.with(["pacing": ["cooldown": 60], "web": ["origins": []]])
        let stored = StoredRecipe(slug: "q", state: .live, document: document(recipe("Anything?")))
        let app = StoredApp(name: "sample", revision: 1, manifest: document(manifest), recipes: [stored])
        var failures: [String] = []
        let catalog = PublishedCatalog.load(StoredCatalog(apps: [app]), at: Scene.start, failures: &failures)
        #expect(failures.isEmpty)
        return CatalogEditor(catalog, source: source, now: Scene.start)
    }

    @Test func `What is stored is served, and a changed document is refused`() throws {
        var editor = try Self.editor(.api)
        #expect(editor.snapshots["sample"]?.catalog.message("q") != nil)
        let same = PublishRequest(
            app: "sample", change: .putRecipe(slug: "q", Self.recipe("Anything?").encoded, asDraft: false))
        guard case .stored(let receipt) = try editor.apply(same) else { return }
        #expect(receipt.effect == .unchanged)
        #expect(receipt.warnings.map(\.code).prefix(2) == ["unknown_key", "type"])
        var changed = PublishRequest(
            app: "sample", change: .putRecipe(slug: "q", Self.recipe("Else?").encoded, asDraft: false))
        #expect(throws: PublishRefusal.self) { try editor.apply(changed) }
        changed.isStored = true
        guard case .stored(let rolledBack) = try editor.apply(changed) else { return }
        #expect(rolledBack.effect == .changed, "a rollback")
        let paused = PublishRequest(app: "sample", change: .setState(slug: "q", .paused))
        _ = try editor.apply(paused)
        let live = PublishRequest(app: "sample", change: .setState(slug: "q", .live))
        guard case .stored(let resumed) = try editor.apply(live) else { return }
        #expect(resumed.state == .live && resumed.warnings.contains { $0.code == "unknown_key" })
    }

    @Test func `A file that has not changed stays as it is`() throws {
        var editor = try Self.editor(.file)
        let manifest = SampleManifest.with(["pacing": ["cooldown": 60], "web": ["origins": []]])
        var app = FileCatalog.App()
        app.manifest = FileCatalog.File(path: "manifest.json", text: manifest.encoded)
        app.recipes["q"] = FileCatalog.File(path: "q.json", text: Self.recipe("Anything?").encoded)
        var files = FileCatalog()
        files.apps["sample"] = app
        #expect(editor.apply(files).isEmpty)
        files.apps["sample"]?.recipes["q"] = FileCatalog.File(path: "q.json", text: Self.recipe("Else?").encoded)
        #expect(editor.apply(files).count == 2, "its two mistakes")
        #expect(editor.snapshots["sample"]?.recipes["q"]?.stored.document.revision == 1)
    }

    @Test(
        arguments: [
            (["pacing": ["cooldown": 60]], "/pacing/cooldown"), (["web": ["orgins": []]], "/web/orgins"),
            (["pacing": ["caps": [["count": 1, "second": 60, "seconds": 60]]]], "/pacing/caps/0/second"),
            (["privacy": ["base": "https://a/", "path": "b/", "fallback": "https://a", "utm": "x"]], "/privacy/utm"),
        ] as [(JSONObject, String)])
    func `In a manifest's own words an unknown key is a fault`(_ changes: JSONObject, _ place: String) throws {
        var editing = Editing()
        #expect(
            editing.refusal(.putManifest(SampleManifest.with(changes).encoded))?.faultLocations == [
                "unknown_key \(place)"
            ]
        )
        let receipt = try editing.manifest(["chanel": "beta", "messaging": ["mesages": [:]]])
        #expect(receipt?.warnings.map(\.suggestion) == ["channel", "messages"])
    }
}

extension JSONValue {
    fileprivate subscript(key: String) -> JSONValue { object?[key] ?? .null }
}
