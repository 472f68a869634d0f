import BellwetherBase
import BellwetherCore
import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherService

/// `draft -> live <-> paused -> ended`, drafts of live recipes, approval by a second person, and dates
/// (docs/reference/http-api.md#lifecycle).
@Suite struct LifecycleTests {
    private var editing = Editing()

    init() throws { try editing.manifest() }

    private static func recipe(_ text: String) -> JSONValue { ["messages": ["m": ["text": .string(text)]]] }

    private var text: String? { editing.snapshot?.catalog.message("m")?.definition.text }

    @discardableResult
    private mutating func set(_ state: RecipeState, _ revision: Int? = nil) throws -> PublishReceipt? {
        try editing.put(.setState(slug: "e", state), meaning: revision)
    }

    private mutating func refusal(_ state: RecipeState, _ revision: Int? = nil) -> String? {
        editing.refusal(.setState(slug: "e", state), meaning: revision)?.name
    }

    @Test mutating func wholeLife() throws {
        try editing.recipe("e", Self.recipe("1"), draft: true)
        #expect(text == nil && refusal(.paused) == "noTransition draft paused")
        #expect(try set(.live)?.state == .live && text == "1")
        #expect(try set(.paused)?.effect == .changed && text == nil)
        #expect(try set(.paused)?.effect == .unchanged)
        _ = try set(.live)
        #expect(text == "1" && refusal(.draft) == "noTransition live draft")
        _ = try set(.ended)
        #expect(text == nil)
        for state in [RecipeState.draft, .live, .paused] { #expect(refusal(state) == "noTransition ended \(state)") }
        #expect(try editing.recipe("e", Self.recipe("2"))?.state == .ended, "it keeps its state")
        #expect(text == nil && editing.refusal(.setState(slug: "f", .live))?.name == "notFound")
    }

    @Test mutating func draftLiesBesideWhatIsLive() throws {
        try editing.recipe("e", Self.recipe("1"))
        let draft = try editing.recipe("e", Self.recipe("2"), draft: true)
        #expect(draft?.revision == 2 && draft?.state == .draft && text == "1")
        #expect(try editing.recipe("e", Self.recipe("2"), draft: true)?.effect == .unchanged)
        #expect(try editing.recipe("e", Self.recipe("3"), draft: true)?.revision == 3)
        editing.restart()
        #expect(text == "1" && editing.snapshot?.recipes["e"]?.stored.inForce?.revision == 1)
        #expect(try set(.live)?.revision == 3 && text == "3")
        editing.restart()
        #expect(text == "3" && editing.snapshot?.recipes["e"]?.stored.inForce == nil)
    }

    @Test mutating func publishingReplacesADraft() throws {
        try editing.recipe("e", Self.recipe("1"))
        try editing.recipe("e", Self.recipe("2"), draft: true)
        let same = try editing.recipe("e", Self.recipe("2"))
        #expect(same?.revision == 2 && same?.state == .live && text == "2", "the draft goes live as it is")
        try editing.recipe("e", Self.recipe("3"), draft: true)
        #expect(try editing.recipe("e", Self.recipe("4"))?.revision == 4 && text == "4")
        #expect(try editing.recipe("e", Self.recipe("4"), draft: true)?.effect == .unchanged)
    }

    @Test mutating func pausedRecipeMayHaveADraft() throws {
        try editing.recipe("e", Self.recipe("1"))
        _ = try set(.paused)
        try editing.recipe("e", Self.recipe("2"), draft: true)
        #expect(try set(.paused)?.effect == .unchanged && text == nil)
        for revision in [nil, 1] {
            #expect(try set(.live, revision)?.revision == 1 && text == "1", "it goes on with what was live")
            #expect(try set(.live, 1)?.effect == .unchanged && text == "1")
            #expect(refusal(.paused, 2) == "preconditionFailed 2", "a draft cannot be stopped")
            _ = try set(.paused, 1)
            editing.restart()
        }
        #expect(refusal(.live, 3) == "preconditionFailed 2")
        #expect(try set(.live, 2)?.revision == 2 && text == "2")
    }

    @Test mutating func pausedRecipeIsResumedAfterItsDraftIsGone() throws {
        try editing.recipe("e", Self.recipe("1"))
        try editing.recipe("e", Self.recipe("2"), draft: true)
        _ = try set(.paused)
        _ = try editing.put(.discardDraft(.recipe(slug: "e")))
        #expect(refusal(.live, 2) == "preconditionFailed 1")
        #expect(try editing.recipe("e", Self.recipe("2"), draft: true)?.revision == 3)
        #expect(refusal(.live, 2) == "preconditionFailed 3")
        #expect(try set(.live)?.revision == 1 && text == "1")
    }

    @Test mutating func draftThatNoLongerReadsIsNotPutLive() throws {
        let manifest: JSONObject = ["messaging": ["triggers": ["T": "true"]]]
        try editing.manifest(manifest)
        try editing.recipe("e", Self.recipe("1"))
        #expect(
            editing.refusal(.putRecipe(slug: "e", Array("{\"triggers\":{\"T\":\"(\"}}".utf8), asDraft: true))?.name
                == "faults")
    }

    @Test mutating func whoWroteARevisionCannotPutItLive() throws {
        editing.requiresApproval = true
        let created = try editing.recipe("e", Self.recipe("1"))
        #expect(created?.effect == .created && created?.state == .draft && text == nil)
        #expect(refusal(.live) == "ownRevision")
        editing.author = "second"
        let unnamed = editing.refusal(.setState(slug: "e", .live))
        #expect(unnamed?.faultLocations == ["required /revision"])
        _ = try set(.live, 1)
        #expect(text == "1")
        #expect(try editing.recipe("e", Self.recipe("2"))?.state == .draft && text == "1")
        #expect(try editing.recipe("e", Self.recipe("2"))?.effect == .unchanged && text == "1")
        #expect(refusal(.live) == "ownRevision")
        editing.restart()
        #expect(refusal(.live) == "ownRevision")
        #expect(try set(.paused)?.state == .paused, "to stop something takes one person")
        editing.author = "owner"
        #expect(try set(.live)?.revision == 1 && text == "1")
        #expect(try set(.live, 2)?.revision == 2 && text == "2")
    }

    @Test mutating func staleWriterDoesNotChangeTheState() throws {
        try editing.recipe("e", Self.recipe("1"))
        try editing.recipe("e", Self.recipe("2"))
        #expect(editing.refusal(.setState(slug: "e", .paused), expecting: 1)?.name == "preconditionFailed 2")
    }

    @Test mutating func whatEndsTogetherEndsInOrder() throws {
        for slug in ["e", "a", "d", "B", "c"] {
            try editing.recipe(
                Identifier(slug),
                NimbusRecipe.experiment(slug, ["t": NimbusRecipe.survey(slug)], ["endDate": "2026-03-12"]))
        }
        let count = editing.changes.count
        editing.now = editing.now.adding(seconds: 7 * Timestamp.secondsPerDay)
        editing.follow()
        let ended = editing.changes.dropFirst(count).compactMap { change -> String? in
            if case .recipe(_, let stored) = change, stored.state == .ended { stored.slug.text } else { nil }
        }
        #expect(ended == ["B", "a", "c", "d", "e"])
    }

    @Test mutating func datesAreHonoured() throws {
        let recipe = NimbusRecipe.experiment(
            "e", ["t": NimbusRecipe.survey("m")], ["startDate": "2026-03-11", "endDate": "2026-03-12T06:00:00Z"])
        try editing.recipe("e", recipe)
        func live() -> Int? { editing.snapshot?.compiledApp.live.count }
        #expect(live() == 0)
        editing.now = editing.now.adding(seconds: 12 * 3600)
        editing.follow()
        #expect(live() == 1 && editing.catalog.apps["sample"]?.nextChange == Timestamp(rfc3339: "2026-03-12T06:00:00Z"))
        editing.restart()
        #expect(live() == 1)
        let count = editing.changes.count
        editing.follow()
        #expect(editing.changes.count == count, "nothing is due")
        editing.now = editing.now.adding(seconds: 30 * 3600)
        editing.follow()
        #expect(live() == 0 && editing.snapshot?.recipes["e"]?.stored.state == .ended)
        editing.restart()
        #expect(editing.snapshot?.recipes["e"]?.stored.state == .ended && refusal(.live) == "noTransition ended live")
    }
}
