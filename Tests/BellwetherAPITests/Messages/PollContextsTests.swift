import BellwetherCore
import BellwetherJSON
import BellwetherService
import HTTPWire
import Testing

@testable import BellwetherAPI

/// Which questions share a context, and that contexts are bounded whatever is asked.
@Suite struct PollContextsTests {
    private let worker: WorkerUnderTest

    init() throws {
        worker = try WorkerUnderTest(recipes: ["r": ["messages": ["m": ["surface": "card", "text": "x"]]]])
    }

    private func ask(
        _ contexts: PollContexts, _ query: String, _ headers: [(name: String, value: String)] = []
    ) throws -> PollContexts.Found {
        let request = try Request(.get, "/v1/apps/app/messages?client_id=c\(query)", headers: headers)
        let endpoint = try #require(MessageRoutes.all.first)
        let call = Call(request: request, endpoint: endpoint, parameters: PathParameters(), worker: worker.worker)
        let app = try #require(worker.worker.snapshot.apps["app"])
        return try contexts.context(for: PollQuestion(request), app: app, call: call)
    }

    @Test func `What nobody declared, and the order, make no context`() throws {
        let contexts = PollContexts(capacity: 64)
        let first = try ask(contexts, "&age=4&locale=de&surface=card")
        #expect(first.ignoredAttributes == 0)
        for query in ["&surface=card&locale=de&age=4&x=1", "&locale=de&x=2&age=4&surface=card"] {
            for _ in 0..<2 {
                let other = try ask(contexts, query)
                #expect(other.context === first.context)
                #expect(other.place == first.place)
                #expect(other.ignoredAttributes == 1)
            }
        }
        #expect(contexts.count == 1)
    }

    @Test func `Whatever targeting, language or surfaces can tell apart is another context`() throws {
        let contexts = PollContexts(capacity: 64)
        let questions = [
            "", "&age=4", "&age=5", "&locale=de", "&locale=de-AT", "&surface=card", "&age=4&locale=de",
            "&locale=de&surface=card", "&debug_tag=%C3%A9", "&debug_tag=e%CC%81",
        ]
        for question in questions { _ = try ask(contexts, question) }
        #expect(contexts.count == questions.count)
        let asked = try ask(contexts, "", [("Accept-Language", "en-US")])
        #expect(asked.context.targeting.requestedLocale != nil)
        #expect(contexts.count == questions.count + 1, "the default is not the same as asking for it")
    }

    @Test func `The surfaces have no part in what targeting sees`() throws {
        let contexts = PollContexts(capacity: 64)
        let (one, other) = (try ask(contexts, "&age=4"), try ask(contexts, "&age=4&surface=card"))
        #expect(one.context.digest == other.context.digest)
        #expect(try one.context.digest != ask(contexts, "&age=5").context.digest)
    }

    /// What was found of enrollments outlasts what is published of messages alone.
    @Test func `Only a change of experiments, rollouts or the app changes what targeting means`() throws {
        let experiment: JSONValue = [
            "schemaVersion": "1.0.0", "slug": "e", "id": "e", "appName": "a", "appId": "a", "channel": "release",
            "userFacingName": "e", "userFacingDescription": "e", "isEnrollmentPaused": false,
            "bucketConfig": [
                "randomizationUnit": "nimbus_id", "namespace": "n", "start": 0, "count": 1, "total": 10_000,
            ],
            "branches": [["slug": "b", "ratio": 1, "features": []]], "featureIds": [], "probeSets": [],
            "proposedEnrollment": 7,
        ]
        func digest(_ recipes: [String: JSONValue], _ manifest: JSONValue = WorkerUnderTest.manifest) throws -> UInt64 {
            let worker = try WorkerUnderTest(manifest: manifest, recipes: recipes)
            let app = try #require(worker.worker.snapshot.apps["app"])
            let context = TargetingContext(requestedLocale: nil, defaultLocale: "en-US", attributes: ["age": 4])
            return PollContext.Meaning(app, context, surfaces: []).targeting
        }
        let message: JSONValue = ["messages": ["m": ["surface": "card", "text": "x"]]]
        let other: JSONValue = ["messages": ["m": ["surface": "card", "text": "y"]]]
        var changed = experiment.object ?? [:]
        changed["isEnrollmentPaused"] = true
        let first = try digest(["r": message, "e": experiment])
        #expect(try digest(["r": other, "e": experiment]) == first)
        #expect(try digest(["r": message, "e": .object(changed)]) != first)
        #expect(try digest(["r": message]) != first)
        #expect(try digest(["s": message, "e": experiment]) != first, "targeting sees the slugs of all")
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["channel"] = "beta"
        #expect(try digest(["r": message, "e": experiment], .object(manifest)) != first)
    }

    @Test func `Of many contexts some are kept, those among them that are asked for`() throws {
        let contexts = PollContexts(capacity: 64)
        let regular = try ask(contexts, "&age=0")
        for age in 1...1000 {
            _ = try ask(contexts, "&age=\(age)")
            #expect(try ask(contexts, "&age=0").context === regular.context)
        }
        #expect(contexts.count == 64)
        let last = try ask(contexts, "&age=1001")
        for age in 2000...2200 { _ = try ask(contexts, "&age=\(age)") }
        #expect(contexts.context(at: last.place) == nil)
        #expect(try ask(contexts, "&age=1001").place != last.place)
    }

    @Test func `Nothing is left of what was removed`() throws {
        let contexts = PollContexts(capacity: 64)
        let old = try ask(contexts, "&age=4")
        contexts.removeAll()
        #expect(contexts.count == 0 && contexts.context(at: old.place) == nil)
        let new = try ask(contexts, "&age=4")
        #expect(new.context !== old.context && new.place != old.place)
        #expect(contexts.context(at: old.place) == nil)
    }
}
