import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// The configuration and recipes in the repository load, and behave as their comments say.
@Suite struct SampleFoldersTests {
    static let folder = "firefox-ios"
    static let surveyKey: Identifier = "homepage-microsurvey-message"

    private let app: AppSnapshot

    init() throws {
        var editor = CatalogEditor(PublishedCatalog(), source: .file, now: Scene.start)
        #expect(editor.apply(SampleFolders.files).isEmpty)
        app = try #require(editor.catalog.snapshots[Identifier(Self.folder)])
    }

    @Test func everythingIsThere() {
        #expect(Set(app.strings.localeNames) == ["en-US", "de", "fr", "es", "ja", "ar"])
        #expect(
            Set(app.recipes.keys) == ["homepage-microsurvey", "sync-devices", "default-browser-sooner"])
        #expect(app.catalog.message("default-browser") != nil && app.catalog.message(Self.surveyKey) != nil)
        #expect(app.manifest.dialect == .ios && app.manifest.shortName == "Firefox")
    }

    @Test func noneIsMalformed() { #expect(app.catalog.malformed.isEmpty) }

    @Test func warningsAreOfAliasesOnly() throws {
        let reading = DocumentReading(isStrict: false)
        for (name, files) in SampleFolders.files.apps {
            let manifest = try reading.manifest(try #require(files.manifest).text, over: nil)
            #expect(manifest.warnings.isEmpty, "\(name)")
            for (locale, file) in files.strings {
                #expect(try reading.strings(file.text, locale: locale).warnings.isEmpty, "\(locale)")
            }
            for (slug, file) in files.recipes {
                let recipe = try reading.recipe(
                    file.text, RecipeIntake(slug: slug, manifest: manifest.content, now: Scene.start))
                #expect(recipe.warnings.allSatisfy { $0.code == "alias" }, "\(slug)")
            }
        }
    }

    @Test func seedsAnswersAreItsOptions() {
        let options = app.catalog.message(Self.surveyKey)?.definition.microsurvey.options
        #expect(options?.count == 6 && options?.last?.text.hasSuffix("LikertScaleOption6.v129") == true)
        #expect(options?.first?.text.hasSuffix("LikertScaleOption5.v127") == true)
    }

    @Test(
        arguments: [(0, nil), (1, nil), (2, SampleFoldersTests.surveyKey), (3, SampleFoldersTests.surveyKey)]
            as [(UInt64, Identifier?)])
    func clientWithoutAttributes(_ views: UInt64, _ expected: Identifier?) {
        var state = ClientState()
        if views > 0 { state.behavior.record("homepage_viewed", count: views, at: Scene.start) }
        let context = TargetingContext(
            requestedLocale: nil, defaultLocale: app.manifest.defaultLocale, attributes: [:])
        let poll = Poll(
            app: app, client: ClientReference(app: Identifier(Self.folder), id: "a-client"),
            surfaces: app.manifest.surfaces,
            context: context, now: Scene.start)
        let decision = app.compiledApp.decide(poll.query, state: state)
        #expect(decision.offers.map(\.message.key) == (expected.map { [$0] } ?? []))
        #expect(decision.offers.allSatisfy { $0.message.facts.surface == "microsurvey" })
        #expect(decision.effects.isEmpty)
    }

    @Test(arguments: [
        (nil, "Help us make Firefox better. It only takes a minute.", "ltr", "en-US"),
        ("de-AT", "Helfen Sie uns, Firefox zu verbessern. Es dauert nur eine Minute.", "ltr", "de"),
    ])
    func survey(_ locale: String?, _ title: String, _ direction: String, _ matched: String) throws {
        let tag = locale.flatMap { LanguageTag($0) }
        let shown = Presentation(
            try #require(app.catalog.message(Self.surveyKey)), manifest: app.manifest,
            localizer: app.strings.localizer(for: tag), requestedLocale: tag)
        #expect(shown.title == title)
        #expect(shown.microsurvey?.options.count == 6 && Set(shown.microsurvey?.options ?? []).count == 6)
        let isGerman = matched == "de"
        #expect(shown.text.hasPrefix(isGerman ? "Wie zufrieden sind Sie" : "How satisfied are you"))
        #expect(shown.microsurvey?.icon == "homeLarge" && shown.buttonLabel?.contains("/") == false)
    }

    @Test func privacyURLIsTheSeeds() throws {
        let tag = try #require(LanguageTag("en-US"))
        let shown = Presentation(
            try #require(app.catalog.message(Self.surveyKey)), manifest: app.manifest,
            localizer: app.strings.localizer(for: tag), requestedLocale: tag)
        let seed = "https://www.mozilla.org/en-US/privacy/firefox/?utm_medium=firefox-mobile&utm_source=modal"
        #expect(shown.microsurvey?.privacyURL == seed + "&utm_campaign=microsurvey&utm_content=homepage")
    }

    @Test func noMessageShowsABareID() throws {
        for locale in app.strings.localeNames {
            let localizer = app.strings.localizer(for: LanguageTag(locale))
            for message in app.catalog.messages {
                let texts = [message.definition.title, message.definition.text, message.definition.buttonLabel]
                for text in texts.compactMap(\.self) + message.definition.microsurvey.options.map(\.text) {
                    #expect(!localizer.resolve(text).looksLikeMissingId, "\(locale): \(text)")
                }
            }
        }
    }
}
