import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// A decision without an evolution, for enrollments that cannot change.
@Suite struct SettledDecisionTests {
    private let compiledApp: CompiledApp
    private let query = PollQuery(
        clientID: "client", surfaces: ["microsurvey"], context: Sample.context(), now: Sample.now)

    init() throws {
        let manifest = try Sample.manifest()
        let message: JSONValue = ["text": "A question?", "surface": "microsurvey", "experiment": "{experiment}"]
        let branch: JSONValue = [
            "slug": "a", "ratio": 1, "features": [["featureId": "messaging", "value": ["messages": ["m": message]]]],
        ]
        let document = SampleExperiment.document([
            "targeting": "'x'|eventSum('Days', 1, 0) >= 0", "branches": [branch],
        ])
        compiledApp = CompiledApp(
            manifest: manifest, manifestRevision: 1, strings: StringTables(defaultLocale: "en-US", locales: [:]),
            recipes: RecipesInForce(live: [try Sample.recipe(document, in: manifest)]), revision: 1)
    }

    /// The state of a client that had the event, before and after its first poll.
    private var states: (new: ClientState, enrolled: ClientState) {
        var state = ClientState()
        state.behavior.record("x", count: 1, at: query.now)
        var journal = ClientJournal(state: state, clientID: "client", at: query.now)
        journal.apply(compiledApp.decide(query, state: state).effects, revision: 1)
        return (state, journal.state)
    }

    @Test func `Nothing is evolved before the time`() {
        let until = query.now.adding(seconds: 60)
        let (new, enrolled) = states
        #expect(compiledApp.decide(query, state: new).effects.enrollments?.changes.isEmpty == false)
        let decision = compiledApp.decide(query, state: new, settledUntil: until)
        #expect(decision.effects.enrollments == nil, "it was told so, however wrongly")
        #expect(decision.validUntil <= until && decision.enrollmentsUntil == until)
        let features = compiledApp.evaluate([], for: query, state: new, settledUntil: until)
        #expect(features.effects.isEmpty && features.enrollmentsUntil == until)
        let evolved = compiledApp.decide(query, state: enrolled)
        let settled = compiledApp.decide(query, state: enrolled, settledUntil: evolved.enrollmentsUntil)
        #expect(settled.offers.map(\.message.key) == evolved.offers.map(\.message.key))
        #expect(settled.validUntil == evolved.validUntil && settled.enrollmentsUntil == evolved.enrollmentsUntil)
        #expect(settled.offers.first?.message.facts.enrollment?.slug == "e")
    }

    @Test func `Event counts in targeting bound the time`() {
        let decision = compiledApp.decide(query, state: states.enrolled)
        #expect(decision.effects.isEmpty)
        #expect(decision.enrollmentsUntil > query.now && decision.enrollmentsUntil <= query.now.adding(seconds: 86_400))
        #expect(compiledApp.decide(query, state: ClientState()).enrollmentsUntil == .distantFuture, "no such event")
    }
}
