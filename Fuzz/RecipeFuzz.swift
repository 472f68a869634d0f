import BellwetherCore
import BellwetherJSON

/// Any document as a manifest or as a recipe: read, compiled, selected from and shown, without a crash, and with what
/// must hold of every catalog.
///
/// The first byte chooses: bit 0 manifest or recipe, bit 1 the dialect, bit 2 whether the recipe lies over itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRecipe(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard count > 1, let value = try? JSONValue(parsing: Array(UnsafeBufferPointer(start: start + 1, count: count - 1)))
    else { return 0 }
    let choice = start[0]
    let findings = Findings()
    if choice & 1 == 0 {
        let manifest = Manifest.read(value, findings: findings)
        guard (manifest == nil) == !findings.faults.isEmpty else { fatalError("a manifest without or despite faults") }
        if let manifest { use(manifest, []) }
    } else {
        let manifest = choice & 2 == 0 ? SampleManifest.ios : SampleManifest.android
        guard let manifest else { fatalError("the sample manifest cannot be read") }
        let recipe = Recipe.read(value, slug: "slug", revision: 1, manifest: manifest, findings: findings)
        guard (recipe == nil) == !findings.faults.isEmpty else { fatalError("a recipe without or despite faults") }
        guard let recipe else { return 0 }
        let other = Recipe.read(value, slug: "later", revision: 2, manifest: manifest, findings: Findings())
        use(manifest, choice & 4 == 0 ? [recipe] : [recipe] + [other].compactMap(\.self))
    }
    for finding in findings.faults + findings.warnings { _ = finding.pointer.description }
    return 0
}

private enum SampleManifest {
    static let ios = read("ios")
    static let android = read("android")

    private static func read(_ dialect: JSONValue) -> Manifest? {
        Manifest.read(
            [
                "app_name": "fuzz", "default_locale": "en-US", "dialect": dialect, "deep_link_scheme": "fuzz",
                "attributes": ["age": "number", "city": "string"],
                "surfaces": ["microsurvey", "new-tab-card", "homescreen"],
                "privacy": ["base": "https://example.org/", "path": "privacy", "fallback": "https://example.org"],
                "messaging": [
                    "triggers": ["ADULT": "age >= 18", "SEEN": "'x'|eventSum('Years', 4, 0) >= 2"],
                    "styles": ["MICROSURVEY": ["max-display-count": 1]], "actions": ["OPEN": "://open?a={city}"],
                    "messages": ["evergreen": ["text": "t", "surface": "new-tab-card", "trigger": ["ADULT"]]],
                ],
            ], findings: Findings())
    }
}

private func use(_ manifest: Manifest, _ recipes: [Recipe]) {
    let strings = StringTables(defaultLocale: manifest.defaultLocale, locales: ["de": ["T": ["k": "%@ %1$@ %"]]])
    let edition = Edition(
        manifest: manifest, manifestRevision: 1, strings: strings, recipes: RecipesInForce(live: recipes), revision: 1)
    let catalog = edition.catalog
    let context = TargetingContext(
        requestedLocale: LanguageTag("de-AT"), defaultLocale: manifest.defaultLocale,
        attributes: ["age": 20, "city": "Bern"])
    let verdicts = ContextVerdicts(catalog: catalog, context: context)
    let now = Timestamp(seconds: 1_773_144_000)
    var state = ClientState()
    state.behavior.record("x", count: 2, at: now)
    for _ in 0..<2 {
        state = enrolled(edition, state, context, now)
        let environment = TriggerEnvironment(
            context: context, clientID: "client", behavior: state.behavior,
            branches: ClientBranches(edition.experiments, state.enrollments), now: now)
        let selector = Selector(verdicts: verdicts, environment: environment, ledger: state.ledger)
        check(selector, surfaces: Set(catalog.messages.map(\.facts.surface) + manifest.surfaces))
        state = journaled(catalog, state, now)
        guard ClientState(encoded: state.encoded()) == state else { fatalError("a state that is not read back") }
    }
    for message in catalog.messages { show(message, edition, context) }
    for known in catalog.knownMessages {
        let again = KnownMessage(key: known.facts.key, revision: known.revision, document: known.document)
        guard again == known else { fatalError("a message that is not remembered as it was") }
    }
}

/// The state after the client's enrollments were brought up to date, which once is enough for.
private func enrolled(
    _ edition: Edition, _ state: ClientState, _ context: TargetingContext, _ now: Timestamp
) -> ClientState {
    let query = PollQuery(clientID: "client", surfaces: [], context: context, now: now)
    var journal = ClientJournal(state: state, clientID: "client", at: now)
    if let evolved = edition.evolved(query, state: state) { journal.evolved(evolved) }
    guard edition.evolved(query, state: journal.state) == nil else { fatalError("enrollments that do not settle") }
    return journal.state
}

private func check(_ selector: Selector, surfaces: Set<String>) {
    for surface in surfaces {
        let selection = selector.select(surface: surface)
        let explanation = Explanation(selector: selector, surface: surface)
        guard explanation.selected == selection.message?.key else { fatalError("explained otherwise than selected") }
        guard let message = selection.message else { continue }
        guard message.facts.surface == surface, !message.facts.isControl, selector.eligibility(of: message) == .eligible
        else { fatalError("a message that must not be shown") }
    }
    _ = Explanation(selector: selector, surface: nil)
}

private func journaled(_ catalog: Catalog, _ state: ClientState, _ now: Timestamp) -> ClientState {
    var journal = ClientJournal(state: state, clientID: "client", at: now)
    for message in catalog.messages {
        if message.facts.isControl { journal.reachedControl(message.facts) } else { journal.displayed(message.facts) }
        if message.key.utf8.count % 3 == 0 { journal.clicked(message.facts, actionUUID: nil) }
    }
    for message in catalog.malformed { journal.reportMalformed(message.facts) }
    for record in journal.records { _ = JSONValue.object(record.extra).encoded }
    return journal.state
}

private func show(_ message: Message, _ edition: Edition, _ context: TargetingContext) {
    let manifest = edition.manifest
    let shown = Presentation(
        message, manifest: manifest, localizer: edition.strings.localizer(for: context.requestedLocale),
        requestedLocale: context.requestedLocale)
    guard (shown.microsurvey != nil) == message.facts.isMicrosurvey else { fatalError("a survey that is none") }
    _ = PressableAction(message, manifest: manifest, value: context.value, uuid: { "uuid" })
}
