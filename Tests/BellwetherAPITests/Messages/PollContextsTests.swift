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

    private static let experiment: JSONObject = [
        "schemaVersion": "1.0.0", "slug": "e", "id": "e", "appName": "a", "appId": "a", "channel": "release",
        "userFacingName": "e", "userFacingDescription": "e", "isEnrollmentPaused": false,
        "bucketConfig": [
            "randomizationUnit": "nimbus_id", "namespace": "n", "start": 0, "count": 1, "total": 10_000,
        ],
        "branches": [["slug": "b", "ratio": 1, "features": []]], "featureIds": [], "probeSets": [],
        "proposedEnrollment": 7,
    ]

    private func ask(
        _ contexts: PollContexts, _ query: String, _ headers: [(name: String, value: String)] = [],
        _ other: WorkerUnderTest? = nil
    ) throws -> PollContexts.Found {
        let worker = other ?? self.worker
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
        var asking = Self.experiment
        asking["targeting"] = "age == 4"
        let worker = try WorkerUnderTest(recipes: ["e": .object(asking)])
        let digest = { query in try ask(contexts, query, [], worker).context.digest }
        #expect(try digest("&age=4") == digest("&age=4&surface=card"))
        #expect(try digest("&age=4") != digest("&age=5"))
        #expect(try digest("&age=5") == digest("&age=6"), "no recipe tells them apart")
    }

    /// What was found of enrollments outlasts what is published of messages alone.
    @Test func `Only a change of experiments, rollouts or the app changes what targeting means`() throws {
        func digest(_ recipes: [String: JSONValue], _ manifest: JSONValue = WorkerUnderTest.manifest) throws -> UInt64 {
            let worker = try WorkerUnderTest(manifest: manifest, recipes: recipes)
            return try ask(PollContexts(capacity: 64), "&age=4", [], worker).context.digest
        }
        let message: JSONValue = ["messages": ["m": ["surface": "card", "text": "x"]]]
        let other: JSONValue = ["messages": ["m": ["surface": "card", "text": "y"]]]
        let experiment = JSONValue.object(Self.experiment)
        var changed = Self.experiment
        changed["isEnrollmentPaused"] = true
        let first = try digest(["r": message, "e": experiment])
        #expect(try digest(["r": other, "e": experiment]) == first)
        #expect(try digest(["r": message, "e": .object(changed)]) != first)
        #expect(try digest(["r": message]) != first)
        #expect(try digest(["s": message, "e": experiment]) == first, "everyone is in s, and nobody asks")
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["channel"] = "beta"
        #expect(try digest(["r": message, "e": experiment], .object(manifest)) != first)
        var asking = Self.experiment
        for targeting in ["'s' in enrollments", "enrollments_map.s == 'x'", "active_experiments[0] == 's'"] {
            asking["targeting"] = .string(targeting)
            let asked = try digest(["r": message, "e": .object(asking)])
            #expect(try digest(["s": message, "e": .object(asking)]) != asked, "\(targeting) sees the slugs of all")
            #expect(try digest(["r": other, "e": .object(asking)]) == asked)
        }
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
        #expect(!contexts.keep(last.place))
        #expect(try ask(contexts, "&age=1001").place != last.place)
    }

    private func snapshot(_ manifest: JSONValue = WorkerUnderTest.manifest, text: String) throws -> Snapshot {
        let recipes: [String: JSONValue] = ["r": ["messages": ["m": ["surface": "card", "text": .string(text)]]]]
        return try WorkerUnderTest(manifest: manifest, recipes: recipes).worker.snapshot
    }

    @Test func `What was asked outlasts a publish, and what it came to does not`() throws {
        let contexts = PollContexts(capacity: 64)
        let old = try ask(contexts, "&age=4")
        let last = worker.worker.snapshot
        worker.serve(last)
        contexts.follow(last, after: last)
        #expect(try ask(contexts, "&age=4").context === old.context, "nothing has changed")
        let next = try snapshot(text: "y")
        worker.serve(next)
        contexts.follow(next, after: last)
        let new = try ask(contexts, "&age=4")
        #expect(new.place == old.place && new.context.asked === old.context.asked)
        #expect(new.context.app === next.apps["app"] && old.context.app === last.apps["app"])
        #expect(contexts.keep(old.place))
    }

    @Test(arguments: ["another manifest", "no app"])
    func `Nothing is left of what was asked of another app`(_ change: String) throws {
        let contexts = PollContexts(capacity: 64)
        let old = try ask(contexts, "&age=4")
        let last = worker.worker.snapshot
        var manifest = WorkerUnderTest.manifest.object ?? [:]
        manifest["attributes"] = ["age": "string"]
        let next = change == "no app" ? .empty : try snapshot(.object(manifest), text: "x")
        contexts.follow(next, after: last)
        #expect(contexts.count == 0 && !contexts.keep(old.place))
        if change != "no app" { worker.serve(next) }
        let new = try ask(contexts, "&age=4")
        #expect(new.context.asked !== old.context.asked && new.place != old.place)
        #expect((new.context.targeting.attributes["age"]?.string == nil) == (change == "no app"))
    }

    /// An edition is large: contexts that nobody asks for again hold none.
    @Test func `Contexts hold no edition that was replaced`() throws {
        let contexts = PollContexts(capacity: 64)
        do {
            let first = try snapshot(text: "x")
            contexts.follow(first, after: worker.worker.snapshot)
            worker.serve(first)
        }
        weak let old = worker.worker.snapshot.apps["app"]
        #expect(old != nil)
        for age in 0..<10 { _ = try ask(contexts, "&age=\(age)") }
        for text in ["y", "z", "w"] {
            let next = try snapshot(text: text)
            contexts.follow(next, after: worker.worker.snapshot)
            worker.serve(next)
            _ = try ask(contexts, "&age=0")
        }
        #expect(contexts.count == 10)
        for _ in 0..<10 { _ = try ask(contexts, "&age=0") }
        #expect(old == nil)
    }
}
