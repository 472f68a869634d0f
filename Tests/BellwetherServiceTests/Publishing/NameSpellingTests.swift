import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// Two spellings of the same characters are one name for people. The first one keeps it, and the other is refused.
@Suite struct NameSpellingTests {
    private static let composed: Identifier = "caf\u{E9}"
    private static let decomposed: Identifier = "cafe\u{301}"
    private static let recipe = Array(#"{"messages": {"m": {"text": "t"}}}"#.utf8)

    private func refusal(_ app: Identifier, _ change: PublishRequest.Change, _ catalog: PublishedCatalog) -> [String] {
        var editor = CatalogEditor(catalog, source: .api, now: Scene.start)
        do throws(PublishRefusal) {
            _ = try editor.apply(PublishRequest(app: app, change: change))
            return []
        } catch {
            guard case .faults(let faults, _) = error else { return [error.name] }
            return faults.map(\.code)
        }
    }

    private func published(_ changes: (app: Identifier, change: PublishRequest.Change)...) throws -> PublishedCatalog {
        var catalog = PublishedCatalog()
        for (app, change) in changes {
            var editor = CatalogEditor(catalog, source: .api, now: Scene.start)
            _ = try editor.apply(PublishRequest(app: app, change: change))
            catalog = editor.catalog
        }
        return catalog
    }

    @Test func anApp() throws {
        let manifest = SampleManifest.with().encoded
        let catalog = try published((Self.composed, .putManifest(manifest)))
        for change: PublishRequest.Change in [
            .putManifest(manifest), .deleteManifest, .putStrings(locale: "de", Array("{}".utf8)),
            .putRecipe(slug: "r", Self.recipe, asDraft: false), .deleteRecipe(slug: "r"), .setState(slug: "r", .paused),
        ] {
            #expect(refusal(Self.decomposed, change, catalog) == ["spelling"], "\(change)")
        }
        let snapshot = Snapshot(version: 1, apps: catalog.snapshots, loadFailures: [])
        #expect(snapshot.apps[Self.composed] != nil && snapshot.apps[Self.decomposed] == nil)
    }

    @Test func aRecipe() throws {
        let catalog = try published(
            ("sample", .putManifest(SampleManifest.with().encoded)),
            ("sample", .putRecipe(slug: Self.decomposed, Self.recipe, asDraft: false)))
        for change: PublishRequest.Change in [
            .putRecipe(slug: Self.composed, Self.recipe, asDraft: false), .deleteRecipe(slug: Self.composed),
            .setState(slug: Self.composed, .ended),
        ] {
            #expect(refusal("sample", change, catalog) == ["spelling"], "\(change)")
        }
        #expect(refusal("sample", .deleteRecipe(slug: Self.decomposed), catalog) == [])
        #expect(refusal("sample", .putRecipe(slug: "a\nb", Self.recipe, asDraft: false), catalog) == ["identifier"])
    }

    @Test func `Nothing is created under an invalid name, and nothing is found under one`() throws {
        let catalog = try published(("sample", .putManifest(SampleManifest.with().encoded)))
        for name in ["", "a\nb", String(repeating: "s", count: 129)] {
            #expect(
                refusal("sample", .putRecipe(slug: Identifier(name), Self.recipe, asDraft: false), catalog) == [
                    "identifier"
                ])
            #expect(refusal(Identifier(name), .putManifest(SampleManifest.with().encoded), catalog) == ["identifier"])
            for change: PublishRequest.Change in [
                .deleteRecipe(slug: Identifier(name)), .setState(slug: Identifier(name), .paused),
            ] {
                #expect(refusal("sample", change, catalog) == ["notFound"], "\(change)")
            }
            for change: PublishRequest.Change in [
                .deleteManifest, .deleteStrings(locale: "de"), .putStrings(locale: "de", Array("{}".utf8)),
                .deleteRecipe(slug: "r"), .putRecipe(slug: "r", Self.recipe, asDraft: false),
            ] {
                #expect(refusal(Identifier(name), change, catalog) == ["unknownApp"], "\(change)")
            }
        }
    }
}
