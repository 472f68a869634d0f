import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherService

/// Every change has its audit record in the same transaction, and no record ever changes.
@Suite struct AuditContractTests {
    private func document(_ revision: Int, _ text: String) -> StoredDocument {
        StoredDocument(
            revision: revision, source: .api, text: Array(text.utf8), publishedAt: Timestamp(seconds: 1))
    }

    private func recipe(_ revision: Int, _ text: String, _ state: RecipeState = .live) -> StoredRecipe {
        StoredRecipe(slug: "s", state: state, document: document(revision, text))
    }

    private func token(_ name: String) -> StoredToken {
        StoredToken(
            name: Identifier(name), scope: .owner, app: "a", digest: Digest.sha256(Array(name.utf8)),
            createdAt: StoreUnderContract.now, expiresAt: Timestamp(seconds: 1_800_000_000))
    }

    private func digest(_ text: String) -> JSONValue { .string(Digest.hex(Digest.sha256(Array(text.utf8)))) }

    /// The records without their time, their author and the chain.
    private func story(_ test: StoreUnderContract) async throws -> [JSONValue] {
        try await test.audit().map { record in
            var members = try JSONValue(parsing: record.text).object ?? [:]
            for key in ["sequence", "at", "by", "previous"] { members[key] = nil }
            return .object(members)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func everyChangeOfADocumentHasARecord(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        try test.store.publish([.manifest(app: "a", document(1, "{}")), .revision(app: "a", 1)])
        try test.store.publish([.manifest(app: "a", document(2, "{ }"))])
        try test.store.publish([.strings(app: "a", locale: "de", document(1, "s1"))])
        try test.store.publish([.deleteStrings(app: "a", locale: "de"), .deleteManifest(app: "a")])
        #expect(
            try await story(test) == [
                [
                    "action": "create", "kind": "manifest", "app": "a", "revision": 1, "before": nil,
                    "after": digest("{}"),
                ],
                [
                    "action": "change", "kind": "manifest", "app": "a", "revision": 2, "before": digest("{}"),
                    "after": digest("{ }"),
                ],
                [
                    "action": "create", "kind": "strings", "app": "a", "name": "de", "revision": 1, "before": nil,
                    "after": digest("s1"),
                ],
                [
                    "action": "delete", "kind": "strings", "app": "a", "name": "de", "revision": 1,
                    "before": digest("s1"), "after": nil,
                ],
                [
                    "action": "delete", "kind": "manifest", "app": "a", "revision": 2, "before": digest("{ }"),
                    "after": nil,
                ],
            ])
    }

    @Test(arguments: StoreKind.allCases)
    func aRecipesContentAndItsStateAreToldApart(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        for stored in [recipe(1, "one", .draft), recipe(1, "one"), recipe(2, "two")] {
            try test.store.publish([.recipe(app: "a", stored)])
        }
        try test.store.publish([.deleteRecipe(app: "a", slug: "s")])
        let story = try await story(test).compactMap(\.object)
        #expect(story.map { $0["action"] } == ["create", "state", "change", "delete"])
        #expect(story.map { $0["previous_state"] } == [nil, "draft", "live", "live"])
        #expect(story.map { $0["state"] } == ["draft", "live", "live", nil])
        #expect(story.map { $0["in_force"] } == [.null, 1, 2, nil])
        #expect(story.map { $0["previous_in_force"] } == [nil, .null, 1, 2])
        #expect(story.map { $0["before"] } == [.null, digest("one"), digest("one"), digest("two")])
        #expect(story.map { $0["after"] } == [digest("one"), digest("one"), digest("two"), .null])
    }

    @Test(arguments: StoreKind.allCases)
    func aDraftBesideWhatIsLiveAndItsPromotionAreTold(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        var beside = recipe(2, "two")
        beside.inForce = document(1, "one")
        for stored in [recipe(1, "one"), beside, recipe(2, "two")] {
            try test.store.publish([.recipe(app: "a", stored)])
        }
        let story = try await story(test).compactMap(\.object)
        #expect(story.map { $0["action"] } == ["create", "change", "state"])
        #expect(story.map { $0["revision"] } == [1, 2, 2])
        #expect(story.map { $0["in_force"] } == [1, 1, 2])
        #expect(story.map { $0["previous_in_force"] } == [nil, 1, 1])
    }

    @Test(arguments: StoreKind.allCases)
    func aDraftOfAManifestAndItsPromotionAreTold(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        for change: CatalogChange in [
            .draft(app: "a", .manifest, document(1, "one")), .manifest(app: "a", document(1, "one")),
            .draft(app: "a", .manifest, document(2, "two")), .manifest(app: "a", document(3, "three")),
            .draft(app: "a", .strings(locale: "de"), document(1, "s")), .deleteStrings(app: "a", locale: "de"),
        ] {
            try test.store.publish([change])
        }
        let story = try await story(test).compactMap(\.object)
        #expect(story.map { $0["action"] } == ["create", "state", "change", "change", "create", "delete"])
        #expect(story.map { $0["state"] } == ["draft", "live", "draft", "live", "draft", nil])
        #expect(story.map { $0["previous_state"] } == [nil, "draft", nil, "draft", nil, nil])
        #expect(story.map { $0["revision"] } == [1, 1, 2, 3, 1, 1])
        #expect(story.map { $0["in_force"] } == [nil, 1, nil, 3, nil, nil])
        #expect(story.map { $0["previous_in_force"] } == [nil, .null, nil, 1, nil, nil])
        #expect(
            story.map { $0["before"] }
                == [.null, digest("one"), digest("one"), digest("two"), .null, digest("s")])
        #expect(story[4]["kind"] == "strings" && story[4]["name"] == "de")
    }

    @Test(arguments: StoreKind.allCases)
    func aTokenIsNamedAndNothingThatOpensADoorIsTold(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        try test.store.changeTokens([.issue(token("t"))])
        try test.store.changeTokens([.use(digest: token("t").digest, at: StoreUnderContract.now)])
        try test.store.changeTokens([.revoke(token("t"), at: StoreUnderContract.now)])
        let facts: JSONObject = [
            "kind": "token", "app": "a", "name": "t", "scope": "owner", "expires": "2027-01-15T08:00:00Z",
            "before": nil, "after": nil,
        ]
        let expected = ["create", "revoke"].map { action in
            var members = facts
            members["action"] = .string(action)
            return JSONValue.object(members)
        }
        #expect(try await story(test) == expected)
        for record in try await test.audit() {
            #expect(!String(decoding: record.line, as: UTF8.self).contains(Digest.hex(token("t").digest)))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aRecordSaysWhoAndWhenAndTheChainGoesOnAfterARestart(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        try test.store.publish([.recipe(app: "a", recipe(1, "one"))], by: "alice", at: Timestamp(seconds: 1))
        let next = try test.reopened()
        try next.store.publish([.recipe(app: "a", recipe(2, "two"))], by: "file", at: Timestamp(seconds: 2))
        let records = try await next.audit()
        let members = try records.map { try JSONValue(parsing: $0.text).object ?? [:] }
        #expect(members.map { $0["by"] } == ["alice", "file"])
        #expect(members.map { $0["at"] } == ["1970-01-01T00:00:01Z", "1970-01-01T00:00:02Z"])
        #expect(members[1]["previous"] == .string(Digest.hex(records[0].hash)))
    }

    @Test(arguments: StoreKind.allCases)
    func aChangeThatFailsLeavesNoRecordAndViceVersa(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        try test.store.publish([.recipe(app: "a", recipe(1, "one"))])
        // The second change is refused, because the revision exists with another text.
        #expect(throws: StoreError.self) {
            try test.store.publish([
                .strings(app: "a", locale: "de", document(1, "s")), .recipe(app: "a", recipe(1, "x")),
            ])
        }
        #expect(try await test.audit().count == 1)
        #expect(try test.store.loadCatalog().apps.first?.strings == [:])
        #expect(try test.store.loadCatalog().apps.first?.recipes == [recipe(1, "one")])
    }

    @Test(arguments: StoreKind.allCases)
    func retentionKeepsEveryRecord(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        try test.store.publish([.recipe(app: "a", recipe(1, "one"))], by: "alice", at: Timestamp(seconds: 1))
        await test.enforceRetention(
            RetentionPolicy(telemetrySeconds: 0, eventIDSeconds: 0), now: Timestamp(seconds: 4_000_000_000))
        #expect(try await test.audit().count == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func pagesFollowOneAnother(_ kind: StoreKind) async throws {
        let test = try StoreUnderContract(kind)
        for revision in 1...5 { try test.store.publish([.recipe(app: "a", recipe(revision, "\(revision)"))]) }
        #expect(try await test.audit(after: 0, limit: 2).map(\.sequence) == [1, 2])
        #expect(try await test.audit(after: 2, limit: 2).map(\.sequence) == [3, 4])
        #expect(try await test.audit(after: 4, limit: 2).map(\.sequence) == [5])
        #expect(try await test.audit(after: 5).isEmpty)
        #expect(try await test.audit(after: .max).isEmpty)
        test.store.close()
        await #expect(throws: StoreError.self) { try await test.audit() }
    }
}
