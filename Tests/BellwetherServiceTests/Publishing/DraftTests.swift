import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// Manifests and strings that a second person must approve.
@Suite struct DraftTests {
    private var editing = Editing()

    init() throws {
        try editing.manifest()
        try editing.put(.putStrings(locale: "en-US", Self.strings("one")))
        try editing.recipe("r", ["messages": ["m": ["text": "T/text", "surface": "homescreen"]]])
        (editing.requiresApproval, editing.author) = (true, "ann")
    }

    private static func strings(_ text: String) -> [UInt8] {
        JSONValue.object(["T": .object(["text": .string(text)])]).encoded
    }

    private static let newMessage: JSONObject = ["messaging": ["messages": ["own": ["text": "x"]]]]

    /// The text in force.
    private var text: String? {
        let document = editing.snapshot?.stringDocuments["en-US"].flatMap { try? JSONValue(parsing: $0.text) }
        return document?.object?["T"]?.object?["text"]?.string
    }

    private func version(_ name: DocumentName) -> DocumentVersion? {
        CatalogEditor(editing.catalog, source: .api, now: editing.now).version(of: name, in: editing.app)
    }

    @Test mutating func manifestWaitsForAnotherPerson() throws {
        let revision = editing.snapshot?.catalog.revision
        let draft = try editing.manifest(Self.newMessage)
        #expect(draft?.state == .draft && draft?.revision == 2 && draft?.effect == .changed)
        #expect(editing.messages == ["m"] && editing.snapshot?.catalog.revision == revision)
        #expect(try editing.manifest(Self.newMessage)?.effect == .unchanged)
        #expect(editing.refusal(.putDraftLive(.manifest))?.name == "ownRevision")
        editing.restart()
        #expect(version(.manifest)?.document.revision == 2 && version(.manifest)?.inForce?.revision == 1)
        #expect(editing.refusal(.putDraftLive(.manifest))?.name == "ownRevision")
        editing.author = "bob"
        #expect(try editing.manifest(Self.newMessage)?.state == .draft, "the same again is still Ann's draft")
        #expect(editing.refusal(.putDraftLive(.manifest))?.faultLocations == ["required /revision"])
        #expect(editing.refusal(.putDraftLive(.manifest), meaning: 3)?.name == "preconditionFailed 2")
        #expect(try editing.put(.putDraftLive(.manifest), meaning: 1)?.effect == .unchanged, "it is in force")
        let live = try editing.put(.putDraftLive(.manifest), meaning: 2)
        #expect(live?.state == .live && live?.revision == 2 && live?.effect == .changed)
        #expect(Set(editing.messages) == ["m", "own"])
        #expect(try editing.put(.putDraftLive(.manifest))?.effect == .unchanged)
        editing.restart()
        #expect(Set(editing.messages) == ["m", "own"] && version(.manifest)?.isNewestDraft == false)
    }

    @Test mutating func stringsWaitForAnotherPerson() throws {
        let name = DocumentName.strings(locale: "en-US")
        let draft = try editing.put(.putStrings(locale: "en-US", Self.strings("two")))
        #expect(draft?.state == .draft && draft?.revision == 2 && text == "one")
        #expect(editing.refusal(.putDraftLive(name))?.name == "ownRevision")
        #expect(try editing.put(.putStrings(locale: "de", Self.strings("zwei")))?.effect == .created)
        #expect(editing.snapshot?.stringDocuments.keys.sorted() == ["en-US"])
        editing.restart()
        editing.author = "bob"
        #expect(editing.refusal(.putDraftLive(name))?.faultLocations == ["required /revision"])
        _ = try editing.put(.putDraftLive(name), meaning: 2)
        _ = try editing.put(.putDraftLive(.strings(locale: "de")), meaning: 1)
        #expect(text == "two" && editing.snapshot?.stringDocuments.keys.sorted() == ["de", "en-US"])
        #expect(editing.refusal(.putDraftLive(.strings(locale: "fr")))?.name == "notFound")
        #expect(try editing.put(.putStrings(locale: "en-US", Self.strings("two")))?.state == .live)
    }

    @Test mutating func draftHasTheFindingsOfALiveOne() throws {
        let style: JSONObject = ["messaging": ["styles": ["S": ["priority": 1, "max-display-count": 1]]]]
        editing.requiresApproval = false
        try editing.manifest(style)
        try editing.recipe("s", ["messages": ["n": ["text": "x", "style": "S", "surface": "homescreen"]]])
        editing.requiresApproval = true
        let draft = try editing.manifest()
        #expect(draft?.state == .draft && draft?.warningLocations.contains("malformed /messaging") == true)
        let malformed = editing.refusal(.putManifest(SampleManifest.with().encoded), strict: true)
        #expect(malformed?.faultLocations.contains("malformed /messaging") == true)
        #expect(editing.refusal(.putStrings(locale: "en-US", Array("7".utf8)))?.faultLocations == ["type "])
        editing.author = "bob"
        let live = try editing.put(.putDraftLive(.manifest), meaning: draft?.revision)
        #expect(live?.warningLocations == draft?.warningLocations)
    }

    @Test mutating func firstManifestIsLiveWhereItServesNothing() throws {
        var fresh = Editing()
        (fresh.requiresApproval, fresh.author) = (true, "ann")
        #expect(try fresh.manifest()?.state == .live && fresh.snapshot != nil)
        var own = Editing()
        (own.requiresApproval, own.author) = (true, "ann")
        let draft = try own.manifest(Self.newMessage)
        #expect(draft?.state == .draft && draft?.effect == .created && own.snapshot == nil)
        #expect(own.refusal(.putStrings(locale: "de", Self.strings("x")))?.name == "unknownApp")
        own.restart()
        #expect(own.refusal(.putDraftLive(.manifest))?.name == "ownRevision")
        own.author = "bob"
        #expect(try own.put(.putDraftLive(.manifest), meaning: 1)?.revision == 1 && own.messages == ["own"])
    }

    @Test mutating func firstManifestThatTakesAnotherAppsQuestionsIsADraft() throws {
        var manifest = SampleManifest.fields
        manifest["application_ids"] = ["org.example.sample"]
        editing.requiresApproval = false
        try editing.manifest(manifest)
        var request = PublishRequest(app: "another", change: .putManifest(JSONValue.object(manifest).encoded))
        request.requiresApproval = true
        var editor = CatalogEditor(editing.catalog, source: .api, now: editing.now)
        guard case .stored(let receipt) = try editor.apply(request) else {
            Issue.record("it is stored")
            return
        }
        #expect(receipt.state == .draft && editor.apps["another"] == nil)
    }

    @Test mutating func draftEndsWhereItIsOvertaken() throws {
        try editing.manifest(Self.newMessage)
        editing.requiresApproval = false
        #expect(try editing.manifest(["short_name": "S"])?.revision == 3)
        #expect(version(.manifest)?.isNewestDraft == false && editing.messages == ["m"])
        editing.requiresApproval = true
        _ = try editing.put(.putStrings(locale: "de", Self.strings("zwei")))
        var files = FileCatalog()
        files.apps[editing.app] = FileCatalog.App()
        files.apps[editing.app]?.strings["de"] = FileCatalog.File(path: "de.json", text: Self.strings("drei"))
        editing.load(files)
        editing.restart()
        #expect(version(.strings(locale: "de"))?.document.source == .api, "a file takes over no draft either")
        #expect(version(.strings(locale: "de"))?.isNewestDraft == true)
    }

    /// An approval that names a discarded draft cannot mean a later one.
    @Test mutating func numberOfADiscardedDraftIsNotUsedAgain() throws {
        let names: [DocumentName] = [.manifest, .strings(locale: "en-US"), .strings(locale: "de")]
        func put(_ name: DocumentName, _ text: String) throws -> Int? {
            guard let locale = name.locale else { return try editing.manifest(["short_name": .string(text)])?.revision }
            return try editing.put(.putStrings(locale: locale, Self.strings(text)))?.revision
        }
        for name in names {
            let first = try put(name, "looked at") ?? 0
            _ = try editing.put(.discardDraft(name))
            editing.restart()
            #expect(version(name)?.isNewestDraft != true)
            let second = try put(name, "put since")
            #expect(second == first + 1, "\(name)")
            editing.author = "bob"
            #expect(editing.refusal(.putDraftLive(name), meaning: first)?.name == "preconditionFailed \(first + 1)")
            _ = try editing.put(.putDraftLive(name), meaning: first + 1)
            editing.author = "ann"
            if case .strings(let locale) = name {
                _ = try editing.put(.deleteStrings(locale: locale))
                editing.restart()
                let third = try put(name, "put again")
                #expect(third == first + 2, "\(name)")
            }
        }
    }

    @Test mutating func deletionTakesOnePersonAndTheDraft() throws {
        try editing.manifest(Self.newMessage)
        _ = try editing.put(.putStrings(locale: "en-US", Self.strings("two")))
        _ = try editing.put(.putStrings(locale: "de", Self.strings("zwei")))
        _ = try editing.put(.deleteStrings(locale: "en-US"))
        #expect(version(.strings(locale: "en-US")) == nil && text == nil)
        _ = try editing.put(.deleteManifest)
        editing.restart()
        #expect(editing.snapshot == nil && editing.catalog.drafts.isEmpty)
        #expect(editing.refusal(.deleteManifest)?.name == "unknownApp")
    }
}
