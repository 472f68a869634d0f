import BellwetherCore
import Testing

@testable import BellwetherService

extension StoredCatalog {
    /// What a store has after these changes; its own rules are kept: a number that is taken stays what it is.
    init(_ changes: [CatalogChange]) {
        var apps: [String: StoredApp] = [:]
        var history: [String: [Int: [UInt8]]] = [:]
        func change(_ name: String, _ change: (inout StoredApp) -> Void) {
            change(&apps[name, default: StoredApp(name: name)])
        }
        func take(_ name: String, _ revision: Int, _ text: [UInt8]) {
            let known = history[name, default: [:]].updateValue(text, forKey: revision)
            #expect(known == nil || known == text, "revision \(revision) of \(name) is taken")
        }
        for step in changes {
            switch step {
            case .manifest(let app, let document):
                change(app) { ($0.manifest, $0.drafts[.manifest]) = (document, nil) }
            case .deleteManifest(let app): change(app) { ($0.manifest, $0.drafts[.manifest]) = (nil, nil) }
            case .strings(let app, let locale, let document):
                change(app) { ($0.strings[locale], $0.drafts[.strings(locale: locale)]) = (document, nil) }
            case .deleteStrings(let app, let locale):
                change(app) { ($0.strings[locale], $0.drafts[.strings(locale: locale)]) = (nil, nil) }
            case .draft(let app, let name, let document): change(app) { $0.drafts[name] = document }
            case .recipe(let app, let recipe):
                take("\(app) recipe \(recipe.slug)", recipe.document.revision, recipe.document.text)
                change(app) { app in
                    app.recipes.removeAll { $0.slug == recipe.slug }
                    app.recipes.append(recipe)
                    app.retiredRevisions[recipe.slug] = nil
                }
            case .deleteRecipe(let app, let slug):
                change(app) { app in
                    app.retiredRevisions[slug] = app.recipes.first { $0.slug == slug }?.document.revision
                    app.recipes.removeAll { $0.slug == slug }
                }
            case .message(let app, let message):
                take("\(app) message \(message.key)", message.revision, message.text)
                change(app) { $0.messages.append(message) }
            case .revision(let app, let revision):
                #expect(apps[app]?.revision ?? 0 < revision, "revisions of an app grow")
                change(app) { $0.revision = revision }
            case .record(let app, let record):
                change(app) { app in
                    app.records.removeAll { $0.collection == record.collection && $0.id == record.id }
                    app.records.append(record)
                }
            case .reply, .token, .revokeToken, .tokenUse: break
            }
        }
        self.init(apps: Array(apps.values))
    }
}
