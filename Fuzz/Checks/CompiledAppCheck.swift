import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON

/// The invariants of every compiled app: a client polls it twice, displays the messages, and keeps its state.
struct CompiledAppCheck {
    let compiledApp: CompiledApp
    private let context: TargetingContext
    private let now = Timestamp(seconds: 1_773_144_000)

    private var catalog: Catalog { compiledApp.catalog }

    init(compiledApp: CompiledApp) {
        self.compiledApp = compiledApp
        context = TargetingContext(
            requestedLocale: LanguageTag("de-AT"), defaultLocale: compiledApp.manifest.defaultLocale,
            attributes: ["age": 20, "city": "Bern"])
    }

    func run() throws(Violation) {
        let memo = ContextMemo(for: catalog)
        var state = ClientState()
        var names = PackedNames()
        state.behavior.record("x", count: 2, at: now)
        for _ in 0..<2 {
            state = try enrolled(state)
            let environment = TriggerEnvironment(
                context: context, clientID: "client", behavior: state.behavior,
                branches: ClientBranches(compiledApp.experiments, state.enrollments), now: now)
            let selector = Selector(catalog, environment: environment, state: state, memo: memo)
            try select(with: selector)
            state = journaled(state)
            try require(ClientState(encoded: state.encoded()) == state, "a state that is not read back")
            let held = ClientState(encoded: names.bytes { state.encode(into: &$0) }[...], names: names.all)
            try require(held == state, "a state that is not read back from the table")
            try require(held?.encoded() == state.encoded(), "a state that the table changes")
        }
        for message in catalog.messages { try show(message) }
        for known in catalog.knownMessages {
            let again = KnownMessage(key: known.facts.key, revision: known.revision, document: known.document)
            try require(again == known, "a message that is not remembered as it was")
        }
    }

    /// The state after the client's enrollments were brought up to date. A second update must change nothing.
    private func enrolled(_ state: ClientState) throws(Violation) -> ClientState {
        let query = PollQuery(clientID: "client", surfaces: [], context: context, now: now)
        var journal = ClientJournal(state: state, clientID: "client", at: now)
        if let evolved = compiledApp.evolved(query, state: state) { journal.evolved(evolved) }
        try require(compiledApp.evolved(query, state: journal.state) == nil, "enrollments that do not settle")
        return journal.state
    }

    private func select(with selector: Selector) throws(Violation) {
        for surface in Set(catalog.messages.map(\.facts.surface) + compiledApp.manifest.surfaces) {
            let selection = selector.select(surface: surface)
            let explanation = Explanation(selector: selector, surface: surface)
            try require(explanation.selected == selection.message?.key, "explained otherwise than selected")
            guard let message = selection.message else { continue }
            let isRight = message.facts.surface == surface && !message.facts.isControl
            try require(isRight && selector.eligibility(of: message) == .eligible, "a message that must not be shown")
        }
        _ = Explanation(selector: selector, surface: nil)
    }

    private func journaled(_ state: ClientState) -> ClientState {
        var journal = ClientJournal(state: state, clientID: "client", at: now)
        for message in catalog.messages {
            if message.facts.isControl {
                journal.reachedControl(message.facts)
            } else {
                journal.displayed(message.facts)
            }
            if message.key.text.utf8.count % 3 == 0 { journal.clicked(message.facts, actionUUID: nil) }
        }
        for message in catalog.malformed { journal.reportMalformed(message.facts) }
        for record in journal.records { _ = JSONValue.object(record.extra).encoded }
        return journal.state
    }

    private func show(_ message: Message) throws(Violation) {
        let shown = Presentation(
            message, manifest: compiledApp.manifest,
            localizer: compiledApp.strings.localizer(for: context.requestedLocale),
            requestedLocale: context.requestedLocale)
        try require((shown.microsurvey != nil) == (message.facts.kind == .microsurvey), "a survey that is none")
        _ = ResolvedAction(message, manifest: compiledApp.manifest, value: context.value, uuid: { "uuid" })
    }
}
