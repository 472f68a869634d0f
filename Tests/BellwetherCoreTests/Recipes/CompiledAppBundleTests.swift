import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import TestSupport
import Testing

/// The content of a bundle (docs/reference/http-api.md#the-bundle); hostile bundles are in `HostileBundleTests`.
@Suite struct CompiledAppBundleTests {
    /// A bundle of two recipes with changed members; null removes a member.
    static func document(_ changes: JSONObject = [:]) -> JSONValue {
        var bundle: JSONObject = [
            "revision": 12, "generated_at": "2026-03-10T12:00:00Z", "manifest": Sample.document(),
            "recipes": [
                ["messages": ["m": ["surface": "microsurvey", "text": "T/hello", "experiment": "{experiment}"]]],
                SampleExperiment.document(),
            ],
            "strings": ["de": ["T": ["hello": "Hallo"]], "en-US": ["T": ["hello": "Hello"]]],
            "manifest_revision": 4,
            "recipe_revisions": [["slug": "bare", "revision": 7], ["slug": "e", "revision": 2]],
            "paused": [], "message_revisions": [:],
        ]
        for (key, value) in changes { bundle[key] = value == .null ? .none : .some(value) }
        return .object(bundle)
    }

    private func read(_ changes: JSONObject = [:]) throws -> (bundle: CompiledAppBundle, warnings: [String]) {
        let findings = Findings()
        let bundle = CompiledAppBundle.read(Self.document(changes), findings: findings)
        return (try #require(bundle, "\(findings.faults)"), findings.warningLocations)
    }

    @Test func everythingIsThere() throws {
        let (bundle, warnings) = try read()
        #expect(warnings.isEmpty)
        #expect(bundle.revision == 12 && bundle.generatedAt == Sample.now)
        let message = try #require(bundle.compiledApp.catalog.message("m"))
        #expect(message.revision == 7)
        #expect(message.facts.enrollment == EnrolledBranch(slug: "bare", branch: "rollout"))
        #expect(!bundle.compiledApp.experiments.isEmpty)
        let german = bundle.compiledApp.context(["locale": "de-AT"])
        #expect(bundle.compiledApp.presentation(of: message, in: german).text == "Hallo")
        #expect(bundle.compiledApp.manifest.appName == "sample")
    }

    @Test func textIsReadAsItsValueIs() throws {
        let bundle = CompiledAppBundle.read(Self.document().encoded)
        #expect(bundle?.revision == 12)
        let findings = Findings()
        #expect(CompiledAppBundle.read(Array("{".utf8), findings: findings) == nil)
        #expect(findings.faultLocations == ["json_truncated "])
    }

    @Test func unknownKeysArePassedOver() throws {
        let (bundle, warnings) = try read([
            "surveys": [],
            "recipe_revisions": [
                ["slug": "bare", "revision": 7, "owner": "x"], ["slug": "e", "revision": 2],
            ],
        ])
        #expect(bundle.revision == 12 && warnings.isEmpty)
    }

    @Test func manifestsMessagesHaveItsRevision() throws {
        let messages: JSONObject = ["messaging": ["messages": ["own": ["surface": "microsurvey", "text": "t"]]]]
        let (bundle, _) = try read(["manifest": Sample.document(messages)])
        #expect(bundle.compiledApp.catalog.message("own")?.revision == 4)
    }

    @Test func whatDoesNotReadIsLeftOut() throws {
        let (bundle, warnings) = try read([
            "recipes": [
                ["messages": ["m": ["surface": "microsurvey", "text": "t"]]], ["kind": "of tomorrow"], 5,
                ["messages": ["n": ["surface": "microsurvey", "text": "t"]]],
            ],
            "recipe_revisions": [
                ["slug": "bare", "revision": 7], ["slug": "new", "revision": 1], ["slug": "five", "revision": 1],
                ["slug": "bare", "revision": 1],
            ],
            "strings": ["de": ["T": ["hello": "Hallo", "x": 5]], "!": [:], "fr": ["T": ["hello": "Bonjour"]]],
        ])
        #expect(bundle.compiledApp.catalog.messages.map(\.key) == ["m"])
        #expect(bundle.compiledApp.strings.localeNames == ["fr"])
        #expect(
            warnings == [
                "unknown_kind /recipes/1/kind", "type /recipes/2", "duplicate /recipe_revisions/3",
                "type /strings/de/T/x", "locale /strings/!",
            ])
    }

    @Test func enrollmentsOutlastAPause() throws {
        let paused: JSONValue = [["slug": "e", "revision": 3, "recipe": SampleExperiment.document()]]
        let (bundle, warnings) = try read(["recipes": [], "recipe_revisions": [], "paused": paused])
        #expect(warnings.isEmpty)
        var state = ClientState()
        state.enrollments = .in(["e": "control", "gone": "on"])
        let compiledApp = bundle.compiledApp
        let query = PollQuery(clientID: "c", surfaces: [], context: compiledApp.context([:]), now: Sample.now)
        let statuses = compiledApp.evolved(query, state: state)?.enrollments.map { "\($0.slug) \($0.status.name)" }
        #expect(statuses == ["e Enrolled", "gone WasEnrolled"])
        #expect(ClientBranches(compiledApp.experiments, state.enrollments).all.isEmpty)
    }

    @Test func servedRevisionsOverruleDocuments() throws {
        let content: JSONValue = [
            "surface": "microsurvey", "control": false, "microsurvey": true, "max_display_count": 5,
            "experiment": "bare", "options": .array(MicrosurveyDefinition.fallback.map(JSONValue.string)),
        ]
        func revision(published: JSONValue, _ content: JSONValue) throws -> Int? {
            let entry: JSONValue = ["published": published, "revision": 40, "message": content]
            return try read(["message_revisions": ["m": [entry], "other": [entry]]]).bundle.compiledApp.catalog.message(
                "m")?
                .revision
        }
        #expect(try revision(published: 7, content) == 40)
        #expect(try revision(published: 6, content) == 7, "of a document that is not there")
        #expect(try revision(published: 7, content.with("max_display_count", 6)) == 7, "of other content")
    }
}

extension MicrosurveyDefinition {
    /// The options of a message that sets none.
    fileprivate static var fallback: [String] { MessageDefinition([:], dialect: .ios).microsurvey.options.map(\.text) }
}

extension JSONValue {
    fileprivate func with(_ key: String, _ value: JSONValue) -> JSONValue {
        var members = object ?? [:]
        members[key] = value
        return .object(members)
    }
}
