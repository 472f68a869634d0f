import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// The app that an application id belongs to (docs/reference/http-api.md#gleans-edge-server).
@Suite struct ApplicationLookupTests {
    private func snapshot(_ apps: KeyValuePairs<String, JSONValue>) throws -> Snapshot {
        var editor = CatalogEditor(PublishedCatalog(), source: .api, now: Scene.start)
        for (app, ids) in apps {
            let manifest = SampleManifest.with(["application_ids": ids])
            _ = try editor.apply(PublishRequest(app: Identifier(app), change: .putManifest(manifest.encoded)))
        }
        return Snapshot(version: 1, apps: editor.catalog.snapshots, loadFailures: [])
    }

    @Test func theManifestNamesIt() throws {
        let snapshot = try snapshot(["one": ["org.example.One", "org.example.Beta"], "two": ["org.example.Two"]])
        #expect(snapshot.app(applicationID: "org-example-beta")?.name == "one")
        #expect(snapshot.app(applicationID: "org.example.two")?.name == "two")
        #expect(snapshot.app(applicationID: "one") == nil)
        #expect(Snapshot.empty.app(applicationID: "org-example-one") == nil)
    }

    @Test func ofTwoTheFirstByName() throws {
        let snapshot = try snapshot(["c": ["x"], "b": ["x"], "é": ["x"], "a": ["y"]])
        for _ in 0..<10 { #expect(snapshot.app(applicationID: "X")?.name == "b") }
    }
}
