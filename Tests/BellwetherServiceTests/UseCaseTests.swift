import BellwetherBase
import BellwetherCore
import BellwetherJSON
import StoreSupport
import Surveys
import Synchronization
import Testing

@testable import BellwetherService

/// Each use case of a client or an owner is called as by a route, without HTTP. A value goes in, and a typed result
/// comes out (ARCHITECTURE.md#a-write).
@Suite struct UseCaseTests {
    private let scene = Scene(recipes: [
        "m": ["messages": ["card": ["surface": "homescreen", "text": "t"]]],
        "s": [
            "messages": [
                "survey": ["surface": "microsurvey", "text": "?", "microsurveyConfig": ["options": ["a", "b"]]]
            ]
        ],
        "q": [
            "kind": "questionnaire", "name": "Q",
            "schema": ["version": 1, "questions": [["id": "q1", "type": "text", "title": "?"]]],
        ],
        "tour": [
            "kind": "flow", "id": "tour", "name": "Tour",
            "steps": [
                ["id": "one", "type": "welcome", "config": ["title": "1"]],
                ["id": "two", "type": "welcome", "config": ["title": "2"]],
            ],
        ],
    ])
    private let store = Persistence(TestStore(), threads: .inPlace)
    private let client = ClientReference(app: Scene.app, id: "client")
    private let ids = RespondentIDs(app: Scene.app, clientID: "client", userID: nil)

    /// The result of a use case. With in-place threads, it is complete when the use case returns.
    private func result<Value: Sendable>(
        _ run: (@escaping @Sendable (Result<Value, StoreError>) -> Void) throws -> Void
    ) throws -> Value {
        let told = Mutex<Result<Value, StoreError>?>(nil)
        try run { result in told.withLock { $0 = result } }
        let result = told.withLock { $0 }
        return try #require(result).get()
    }

    private func app() throws -> AppSnapshot { try #require(scene.snapshot) }

    @Test func `A poll is decided from a client that was read, or recorded`() throws {
        let poll = try scene.question(["homescreen"])
        let basis = EnrollmentBasis(poll.app, poll.query.context)
        let memo = ContextMemo(for: poll.app.catalog)
        guard case .needsState = DeliverMessages.decide(poll, memo: memo, basis: basis, in: store) else {
            return #expect(Bool(false), "known already")
        }
        let held = try result { store.loadJoined(client, $0) }
        guard
            case .decided(let decision, _) = DeliverMessages.decide(
                poll, memo: memo, basis: basis, of: held, in: store)
        else { return #expect(Bool(false), "it has effects") }
        #expect(decision.offers.map(\.message.key) == ["card"])
        let delivery = try result {
            DeliverMessages.record(poll, events: [], policy: scene.policy, bytes: 0, in: store, $0)
        }
        #expect(delivery.decision.offers.map(\.message.key) == ["card"] && delivery.tally == EventTally())
    }

    @Test func `A question for features is decided, or recorded`() throws {
        let app = try app()
        let context = TargetingContext(requestedLocale: nil, defaultLocale: "en-US", attributes: [:])
        let question = FeatureRequest(
            app: app, client: client, features: app.compiledApp.features.features, context: context, now: Scene.start)
        let held = try result { store.load(client, $0) }
        guard case .decided = EvaluateFeatures.decide(question, of: held, in: store) else {
            return #expect(Bool(false), "it has effects")
        }
        let decision = try result { EvaluateFeatures.record(question, bytes: 0, in: store, $0) }
        #expect(decision.effects.isEmpty)
    }

    @Test func `Events are recorded with a tally for each client`() throws {
        let kind = ResolvedEvent.Kind.message(.displayed, key: "card", actionUUID: nil)
        let events = [ResolvedEvent(index: 0, id: nil, at: Scene.start, kind: kind)]
        let tallies = try result {
            RecordEvents(in: try app(), policy: scene.policy, now: Scene.start)
                .run([(client: client, events: events), (client: client, events: events)], bytes: 0, in: store, $0)
        }
        #expect(tallies.map(\.accepted) == [1, 1])
        #expect(try result { store.load(client, $0) }.state.ledger["card"].displayCount == 2)
    }

    @Test func `An answer to a microsurvey is stored once`() throws {
        let answer = SubmitResponse.Answer(
            client: client, message: "survey", option: "1", revision: nil, locale: nil, requestID: nil)
        for isFirst in [true, false] {
            let submit = try SubmitResponse(answer, in: try app(), id: "r", now: Scene.start)
            let outcome = try result { submit.run(in: store, $0) }
            switch outcome {
            case .done(.stored(let response)): #expect(isFirst && response.optionIndex == 1)
            case .done(.alreadyResponded): #expect(!isFirst)
            default: #expect(Bool(false), "\(outcome)")
            }
        }
        let unknown = SubmitResponse.Answer(
            client: client, message: "nothing", option: "1", revision: nil, locale: nil, requestID: nil)
        #expect(throws: SubmitResponse.Refusal.unknownMessage) {
            try SubmitResponse(unknown, in: try app(), id: "r", now: Scene.start)
        }
    }

    private func save(_ answers: JSONObject, isComplete: Bool) throws -> SaveOutcome {
        let recipe = try #require(try app().recipes["q"])
        let request = SaveRun.Request(
            ids: ids, slug: "q", save: RunSave(answers: answers, isComplete: isComplete), newID: "run",
            webhookID: "webhook")
        let save = SaveRun(request, of: recipe, try #require(recipe.survey), in: try app(), now: Scene.start)
        let claimed = try result { save.run(by: ActionDriver(store), $0) }
        guard case .done(let outcome) = claimed else { throw SceneError() }
        return outcome
    }

    @Test func `A draft is saved, submitted, changed by its owner and dismissed for good`() throws {
        guard case .saved(let draft, isNew: true) = try save(["q1": "x"], isComplete: false) else {
            return #expect(Bool(false), "no draft")
        }
        guard case .saved(let final, isNew: false) = try save([:], isComplete: true) else {
            return #expect(Bool(false), "not submitted")
        }
        #expect(!draft.wasSubmitted && final.wasSubmitted && final.run.id == draft.run.id)
        let run = RunReference(app: Scene.app, id: draft.run.id)
        let triage = ChangeRun(.status(.addressed), of: run, by: "owner", now: Scene.start)
        guard case .changed(let changed) = try result({ triage.run(in: store, $0) }) else {
            return #expect(Bool(false), "not changed")
        }
        #expect(changed.status == .addressed)
        #expect(try result { DismissSurveys.run(ids, in: store, now: Scene.start, $0) } == Scene.start)
        guard case .refused = try save(["q1": "y"], isComplete: true) else { return #expect(Bool(false), "saved") }
    }

    @Test func `A run of a flow begins, is found again and goes on`() throws {
        let publisher = Publisher(store: store.store, clock: Clock { Scene.start }, logger: Persistence.silent)
        let driver = ActionDriver(store, publisher)
        let flow = try #require(try app().recipes["tour"]?.flow)
        let start = StartFlow(
            StartFlow.Request(ids, FlowStart(), newID: "run"), of: "tour", flow, in: try app(), now: Scene.start)
        guard case .started(let run, _) = try result({ start.run(by: driver, $0) }) else {
            return #expect(Bool(false), "not started")
        }
        guard case .open(let again) = try result({ start.run(by: driver, $0) }) else {
            return #expect(Bool(false), "not found")
        }
        #expect(again.id == run.id)
        let reference = RunReference(app: Scene.app, id: run.id)
        let request = AdvanceFlow.Request(.action(FlowAction(.next, at: "one")), of: reference, webhookID: "w")
        let action = AdvanceFlow(request, slug: "tour", flow, in: try app(), now: Scene.start)
        guard case .advanced(let advanced, _) = try result({ action.run(by: driver, $0) }) else {
            return #expect(Bool(false), "not advanced")
        }
        #expect(advanced.flow?.path.last == "two")
        guard case .refused = try result({ action.run(by: driver, $0) }) else {
            return #expect(Bool(false), "the step is another")
        }
    }

    @Test func `A client becomes a user's, and takes part no more`() throws {
        let app = try app()
        let outcome = try result {
            IdentifyClient.run(client, as: "user", by: .app, in: app, store, now: Scene.start, $0)
        }
        #expect(outcome == .identified(merged: []))
        #expect(try result { store.loadJoined(client, $0) }.state.userID == "user")
        let participation = Participation(experiments: false)
        try result { completion in
            ChangeParticipation.run(
                participation, of: client, in: app, now: Scene.start, bytes: 0, store, completion)
        }
        #expect(try result { store.load(client, $0) }.state.enrollments.unpacked.participation == participation)
    }
}
