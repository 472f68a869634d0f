import BellwetherBase
import BellwetherCore
import BellwetherJSON

/// A client that decides on the device, as in `docs/on-device.md`, and the expected responses.
struct DeviceClient {
    let id: String
    private(set) var state = ClientState()
    private(set) var records: [TelemetryRecord] = []

    init(id: String) { self.id = id }

    /// The messages of a poll in the API's format.
    mutating func poll(
        _ surfaces: [Identifier], _ said: JSONValue, _ compiledApp: CompiledApp, now: Timestamp
    ) -> [(message: Message, json: JSONValue)] {
        let context = compiledApp.context(said)
        let query = PollQuery(
            clientID: Identifier(id), surfaces: surfaces.isEmpty ? compiledApp.manifest.surfaces : surfaces,
            context: context,
            now: now)
        let delivery = compiledApp.decide(query, state: state)
        note(at: now) { $0.apply(delivery.effects, revision: compiledApp.catalog.revision) }
        return delivery.offers.map { ($0.message, compiledApp.json(of: $0, for: query)) }
    }

    /// A message in the client's variant; nil if the compiled app has none with that key for the client.
    func message(_ key: String, _ compiledApp: CompiledApp) -> Message? {
        compiledApp.message(Identifier(key), in: ClientBranches(compiledApp.experiments, state.enrollments))
    }

    mutating func report(_ events: [DeviceEvent], _ compiledApp: CompiledApp, now: Timestamp) {
        for event in events {
            note(at: now) { journal in
                switch event {
                case .behavior(let name, let count, let then):
                    _ = journal.behaved(BehaviorEvent(name: Identifier(name), count: count), at: then)
                case .message(.displayed, let message): journal.displayed(message.facts)
                case .message(.clicked, let message): journal.clicked(message.facts, actionUUID: nil)
                case .message(.dismissed, let message): journal.dismissed(message.facts)
                case .microsurvey(let step, let message): journal.microsurvey(step, message.facts)
                }
            }
        }
    }

    mutating func answer(_ message: Message, _ response: SurveyResponse) {
        note(at: response.submittedAt) { $0.answered(message.facts, response) }
    }

    mutating func participate(_ participation: Participation, _ compiledApp: CompiledApp, now: Timestamp) {
        note(at: now) { $0.participates(participation, in: compiledApp.experiments) }
    }

    private mutating func note(at now: Timestamp, _ change: (inout ClientJournal) -> Void) {
        var journal = ClientJournal(state: state, clientID: Identifier(id), at: now)
        change(&journal)
        state = journal.state
        records += journal.records
    }
}

/// An event on the device, and its form in a report.
enum DeviceEvent {
    case behavior(String, count: UInt64, at: Timestamp?)
    case message(MessageAction, Message)
    case microsurvey(MicrosurveyStep, Message)

    var json: JSONValue {
        switch self {
        case .behavior(let name, let count, let then):
            let more: JSONObject = ["count": .integer(Int64(count))]
            return Event.behavior(name, then.map { more.merging("at", .string($0.rfc3339)) } ?? more)
        case .message(let action, let message): return Event.message(action.rawValue, message.key.text)
        case .microsurvey(let step, let message): return Event.survey(step.rawValue, message.key.text)
        }
    }
}

extension CompiledApp {
    /// The text in place of a click's UUID, which a device cannot derive.
    static let uuid = "UUID"

    /// An offer in the API's format (docs/reference/http-api.md#the-poll).
    func json(of offer: Offer, for query: PollQuery) -> JSONValue {
        let message = offer.message
        let shown = presentation(of: message, in: query.context)
        let action = action(of: message, for: query) { Self.uuid }
        return [
            "key": .string(message.key), "surface": .string(message.facts.surface),
            "style": .string(message.definition.style), "revision": .integer(Int64(message.revision)),
            "priority": .integer(Int64(message.style.priority)),
            "max_display_count": .integer(Int64(message.style.maxDisplayCount)),
            "display_count": .integer(Int64(offer.displayCount)),
            "experiment": JSONValue(message.facts.enrollment?.slug.text),
            "branch": JSONValue(message.facts.enrollment?.branch.text), "locale": .string(shown.locale),
            "dir": shown.isRightToLeft ? "rtl" : "ltr", "title": JSONValue(shown.title), "text": .string(shown.text),
            "button_label": JSONValue(shown.buttonLabel), "action": action.map(\.json) ?? nil,
            "microsurvey": shown.microsurvey.map(\.json) ?? nil,
            "presents": nil,
        ]
    }
}

extension ResolvedAction {
    fileprivate var json: JSONValue {
        var members: JSONObject = ["name": JSONValue(name?.text), "url": .string(url)]
        if let uuid { members["uuid"] = .string(uuid) }
        return .object(members)
    }
}

extension MicrosurveyPresentation {
    fileprivate var json: JSONValue {
        [
            "question": .string(question), "icon": .string(icon),
            "options": .array(
                options.indices.map { ["id": .string("\($0)"), "text": .string(options[$0])] }),
            "header": .string(header), "submit_label": .string(submitLabel), "privacy_label": .string(privacyLabel),
            "privacy_url": JSONValue(privacyURL),
            "confirmation": ["header": .string(confirmationHeader), "text": .string(confirmationText)],
        ]
    }
}

extension JSONValue {
    init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }
}
