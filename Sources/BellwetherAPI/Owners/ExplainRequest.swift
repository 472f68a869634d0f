public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON
internal import BellwetherService
internal import JEXL

/// The body of an explain request: a known client or a hypothetical one, at any time.
public struct ExplainRequest: Sendable {
    /// The bound of a hypothetical history, the same as for a batch of events.
    static let maximumEvents = 1000
    static let maximumMessages = 1000

    /// The facts for reading a request.
    public struct Setting {
        let manifest: Manifest
        let acceptedLanguage: LanguageTag?
        let now: Timestamp

        /// `now` is used if the request has no time.
        public init(manifest: Manifest, acceptedLanguage: LanguageTag? = nil, now: Timestamp) {
            self.manifest = manifest
            self.acceptedLanguage = acceptedLanguage
            self.now = now
        }
    }

    public let clientID: Identifier?
    public let context: TargetingContext
    public let surface: Identifier?
    /// The feature whose values are explained.
    public let feature: Identifier?
    public let now: Timestamp
    /// Whether the request has both a client and lists.
    public var isContradictory: Bool { clientID != nil && lists != nil }
    /// How many attributes are not declared in the manifest.
    let undeclaredAttributes: Int
    /// The findings about well-formed values that are too large.
    public let excess: [Finding]
    private let events: [HypotheticalEvent]
    private let ledger: [LedgerEntry]
    /// Answers of the client, by recipe.
    private let answered: [(slug: Identifier, rounds: Int, at: Timestamp)]
    /// Hypothetical branches of the client, which replace its real ones; nil if the request has none.
    private let enrollments: [Enrollment]?
    /// Hypothetical answers that are facts.
    private let facts: RespondentFacts
    /// The lists that a hypothetical client is in; nil if the request does not say.
    private let lists: Set<String>?

    /// Reports every fault. A request with a fault or an `excess` must not be used.
    public init(_ reader: JSONReader, _ setting: Setting) {
        _ = reader.object()
        clientID = reader.optional("client_id")?.identifier()
        (context, undeclaredAttributes) = TargetingContext.read(
            reader.optional("context"), manifest: setting.manifest, accepted: setting.acceptedLanguage)
        feature = reader.optional("feature").flatMap { Self.readFeature($0, setting.manifest) }
        let asksForFeature = reader.value.object?["feature"] != nil
        surface = (asksForFeature ? reader.optional("surface") : reader.required("surface")).flatMap {
            Self.readSurface($0, setting.manifest)
        }
        let clock = reader.optional("now").flatMap { $0.time() } ?? setting.now
        now = clock
        let events = reader.optional("events")?.elements() ?? []
        let ledger = reader.optional("ledger")?.members() ?? []
        let answered = reader.optional("answered")?.members() ?? []
        let lists = reader.optional("lists").map { $0.elements() ?? [] }
        self.lists = lists.map { Set($0.compactMap { $0.string() }) }
        excess = [
            Self.excess(lists?.count ?? 0, StoredList.maximumNumber, of: "lists"),
            Self.excess(events.count, Self.maximumEvents, of: "events"),
            Self.excess(ledger.count, Self.maximumMessages, of: "ledger"),
            Self.excess(answered.count, Self.maximumMessages, of: "answered"),
        ].compactMap(\.self)
        self.events = excess.isEmpty ? events.compactMap { HypotheticalEvent($0, now: clock) } : []
        self.ledger =
            excess.isEmpty
            ? ledger.compactMap { LedgerEntry(hypothetical: $0.value, Identifier($0.key), now: clock) } : []
        self.answered =
            excess.isEmpty ? answered.compactMap { Self.answers(to: Identifier($0.key), $0.value, now: clock) } : []
        enrollments = reader.optional("enrollments").map(Self.readEnrollments)
        let isKnown = clientID != nil
        facts = reader.optional("answers").map { Self.readFacts($0, ofKnown: isKnown, now: clock) } ?? RespondentFacts()
    }

    private static func readSurface(_ reader: JSONReader, _ manifest: Manifest) -> Identifier? {
        guard let name = reader.identifier(length: nil) else { return nil }
        if !manifest.surfaces.contains(name) {
            reader.finding("unknown_surface", "the app has no surface \"\(name)\"")
        }
        return name
    }

    private static func readFeature(_ reader: JSONReader, _ manifest: Manifest) -> Identifier? {
        guard let id = reader.identifier(length: nil) else { return nil }
        if manifest.feature(id) == nil {
            reader.finding("unknown_feature", "the manifest declares no feature \"\(id)\"")
        }
        return id
    }

    /// `{rounds, at}`; without `at` the last answer was now.
    private static func answers(
        to slug: Identifier, _ reader: JSONReader, now: Timestamp
    ) -> (slug: Identifier, rounds: Int, at: Timestamp)? {
        guard reader.object() != nil else { return nil }
        let rounds = reader.required("rounds")?.integer(in: 0...Int64(Int32.max))
        let at = reader.optional("at").map { $0.time() } ?? now
        guard let rounds, let at else { return nil }
        return (slug, Int(rounds), at)
    }

    private static func excess(_ count: Int, _ maximum: Int, of member: String) -> Finding? {
        guard count > maximum else { return nil }
        return Finding(
            pointer: JSONPointer(tokens: [member]), code: "too_many",
            message: "at most \(maximum) are looked at, these are \(count)")
    }

    /// Reads `{slug: branch}`, or the list of an explain response, of which only enrolled entries count. A slug may
    /// occur once.
    private static func readEnrollments(_ reader: JSONReader) -> [Enrollment] {
        func enrolled(_ slug: Identifier, _ branch: Identifier) -> Enrollment {
            Enrollment(slug: slug, status: .enrolled(.qualified, branch: branch))
        }
        guard reader.value.array != nil else {
            return (reader.members() ?? []).compactMap { slug, value in
                value.identifier(length: nil).map { enrolled(Identifier(slug), $0) }
            }
        }
        var slugs: Set<Identifier> = []
        return (reader.elements() ?? []).compactMap { item in
            guard item.object() != nil, let named = item.required("slug"), let slug = named.identifier(length: nil)
            else { return nil }
            if !slugs.insert(slug).inserted {
                named.finding("duplicate", "a client has one standing with each recipe")
            }
            guard item.optional("status").map({ $0.string() == "Enrolled" }) ?? true else { return nil }
            return item.required("branch")?.identifier(length: nil).map { enrolled(slug, $0) }
        }
    }

    /// Reads `{NAME: value}`. A known client has its own answers.
    private static func readFacts(_ reader: JSONReader, ofKnown isKnown: Bool, now: Timestamp) -> RespondentFacts {
        var facts = RespondentFacts()
        if isKnown { reader.finding("conflict", "the answers of a known client are its own") }
        let members = reader.members() ?? []
        if members.count > RespondentFacts.maximumFacts {
            reader.finding("too_many", "a person has at most \(RespondentFacts.maximumFacts) facts")
        }
        for (name, value) in members {
            if !AudienceScope.isName(name) {
                value.finding("identifier", "\(name) is no name of a fact")
            } else if RespondentFacts.value(of: value.value) == nil {
                value.finding(
                    "type",
                    "a fact is a number, a boolean, a text or a list of texts, of at most "
                        + "\(RespondentFacts.maximumBytes) bytes")
            } else {
                facts.note(value.value, as: Identifier(name), at: now, of: RespondentFacts.SourceDigest(""))
            }
        }
        return facts
    }

    /// `state` is the state of a known client, to which the request's hypothetical facts are added. The enrollments of
    /// a client that was never enrolled evolve, as at its first poll, unless the request has some.
    public func explanation(state: ClientState, compiledApp: CompiledApp) -> Explanation {
        var state = state
        let compiledApp = lists.map { CompiledApp(compiledApp, lists: compiledApp.lists?.supposing($0)) } ?? compiledApp
        let derived = compiledApp.catalog.derivedEvents
        for event in events {
            let behavior = BehaviorEvent(
                name: event.name, count: event.count,
                properties: compiledApp.manifest.properties(of: event.name, in: event.properties), deriving: derived)
            _ = state.behavior.record(behavior, now: event.at, of: derived)
            state.counters.count(event.name, event.count, at: event.at)
        }
        for entry in ledger { state.ledger[entry.message] = entry }
        if clientID == nil { state.facts = facts }
        for (slug, rounds, at) in answered { state.surveys.suppose(slug, rounds: rounds, at: at) }
        if let enrollments {
            let participation = state.enrollments.unpacked.participation
            state.enrollments = PackedEnrollments(
                ClientEnrollments(enrollments: enrollments, participation: participation))
        }
        let query = PollQuery(clientID: clientID, surfaces: surface.map { [$0] } ?? [], context: context, now: now)
        let isFirstPoll = state.enrollments.unpacked.enrollments.isEmpty
        let treatment: EnrollmentTreatment = isFirstPoll && enrollments == nil ? .update : .keep
        var explanation = explanation(of: query, state, treatment, compiledApp)
        explanation.isOfFirstPoll = clientID != nil && treatment == .update
        explanation.segments = compiledApp.namedSegments.map {
            ($0, compiledApp.isIn(segment: $0, query, state: state))
        }
        explanation.facts = compiledApp.namedFacts(in: state)
        explanation.lists = compiledApp.memberships(of: query, state: state)
        explanation.eventTimes = compiledApp.eventTimes(in: state.behavior, at: now)
        return explanation
    }

    private func explanation(
        of query: PollQuery, _ state: ClientState, _ treatment: EnrollmentTreatment, _ compiledApp: CompiledApp
    ) -> Explanation {
        guard let feature = feature.flatMap({ compiledApp.features.feature($0) }) else {
            return compiledApp.explain(query, state: state, enrollments: treatment)
        }
        var explanation =
            surface == nil
            ? compiledApp.explainEnrollments(query, state: state, enrollments: treatment)
            : compiledApp.explain(query, state: state, enrollments: treatment)
        explanation.feature = compiledApp.explain(feature, for: query, state: state, enrollments: treatment)
        return explanation
    }
}

/// `{name, at, count}`. The event is recorded with the clock at `at`.
private struct HypotheticalEvent {
    let name: Identifier
    let at: Timestamp
    let count: UInt64
    let properties: JSONObject

    init?(_ reader: JSONReader, now: Timestamp) {
        let name = reader.required("name")?.identifier(length: 1...128)
        let at = reader.optional("at").map { $0.time() } ?? now
        let count = reader.optional("count").map { $0.integer(in: 1...1_000_000) } ?? 1
        let properties = reader.optional("properties").map { ClientEvent.properties($0) } ?? [:]
        guard let name, let at, let count, let properties else { return nil }
        self.name = name
        self.at = at
        self.count = UInt64(count)
        self.properties = properties
    }
}

extension LedgerEntry {
    /// `{display_count, dismissed, clicked, expired, last_displayed_at, dismissed_at}`. A display or a dismissal
    /// without a time was now.
    fileprivate init?(hypothetical reader: JSONReader, _ message: Identifier, now: Timestamp) {
        guard reader.object() != nil else { return nil }
        let count = reader.optional("display_count").map { $0.integer(in: 0...1_000_000_000) } ?? 0
        let times = ["last_displayed_at", "dismissed_at"].map { reader.optional($0).map { $0.time() } ?? now }
        guard let count, let displayedAt = times[0], let dismissedAt = times[1] else { return nil }
        self.init(
            message: message, displayCount: UInt32(count),
            dismissals: (reader.optional("dismissed")?.bool() ?? false) ? 1 : 0,
            isClicked: reader.optional("clicked")?.bool() ?? false,
            isExpired: reader.optional("expired")?.bool() ?? false)
        if displayCount > 0 || isExpired { self.displayedAt = displayedAt }
        if dismissals > 0 { self.dismissedAt = dismissedAt }
    }
}
