internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// Simulates a document, which need not be stored. Nothing is stored, and no owner's server is called
/// (docs/reference/http-api.md#simulation).
enum SimulateRoute {
    static let all = [Endpoint(.post, "/v1/apps/{app}/recipes/simulate", .needs(.read), inBackground: post)]

    @Sendable private static func post(_ call: BackgroundCall) throws(APIError) -> Step {
        let app = try call.app()
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        _ = reader.object()
        let document = reader.required("document")
        let slug = reader.optional("slug")?.identifier() ?? "simulated"
        let request = SimulationRequest(reader, app, call)
        guard findings.faults.isEmpty, let document else { throw .badRequest(findings.faults) }
        return .respond(.json(200, try request.trial(of: document, slug: slug)))
    }
}

/// The simulation of a document: the path through a flow, or the questions that a questionnaire or survey shows.
struct SimulationRequest: Sendable {
    private let app: AppSnapshot
    private let call: BackgroundCall
    private let locale: String?
    private let now: Timestamp
    private let actions: [JSONValue]
    private let holdsChats: Bool
    private let start: FlowStart
    private let answers: JSONObject

    private static let maximumActions = 200

    /// The reader's findings list the faults.
    init(_ reader: JSONReader, _ app: AppSnapshot, _ call: BackgroundCall) {
        (self.app, self.call) = (app, call)
        locale = reader.optional("locale")?.languageTag()?.text
        now = reader.optional("now").flatMap { $0.time() } ?? call.arrived
        actions = reader.optional("actions")?.elements()?.map(\.value) ?? []
        holdsChats = reader.optional("chats")?.bool() ?? false
        answers = reader.optional("answers")?.object() ?? [:]
        var start = FlowStart()
        start.attributes = reader.optional("attributes")?.object() ?? [:]
        start.context = reader.optional("context")?.object() ?? [:]
        start.locale = locale
        start.platform =
            reader.optional("platform")?.string(length: 1...100) ?? start.context["platform"]?.string
        self.start = start
    }

    func trial(of document: JSONReader, slug: Identifier) throws(APIError) -> JSONValue {
        guard actions.count <= Self.maximumActions else {
            throw .invalid(
                "too_many", "a simulation has at most \(Self.maximumActions) actions",
                at: JSONPointer(tokens: ["actions"]))
        }
        guard let kind = ContentKind(of: document.value) else {
            throw .invalid("kind", "only questionnaires, surveys and flows can be played", at: document.pointer)
        }
        return kind == .flow ? try walk(document, slug) : try shown(document, kind, slug)
    }

    private func walk(_ document: JSONReader, _ slug: Identifier) throws(APIError) -> JSONValue {
        let definition = FlowDefinition(document, slug: slug)
        guard document.findings.faults.isEmpty, let definition else { throw .invalid(document.findings.faults) }
        let localizer = app.strings.localizer(for: locale.flatMap { LanguageTag($0) })
        let flow = definition.speaking(FlowLanguage(localizer, shortName: app.manifest.shortName))
        let simulation = call.judging { budget in
            var simulation = FlowSimulation(flow, start, at: now, holdsChats: holdsChats, &budget)
            for action in actions { simulation.take(action, &budget) }
            return simulation
        }
        return simulation.json
    }

    /// The same result as `POST …/surveys/{slug}/evaluate`.
    private func shown(_ document: JSONReader, _ kind: ContentKind, _ slug: Identifier) throws(APIError) -> JSONValue {
        guard let alone = SurveyContent(document.value, kind, slug: slug, revision: 1, retiredIDs: []) else {
            throw .invalid("document", "its questions have faults", at: document.pointer)
        }
        let content = alone.reading(app.catalog.scope)
        let facts = content.facts(
            at: now, attributes: app.attributes(of: content, start.attributes, nil, ClientState()))
        return .object(call.judging { content.definition.questions.evaluate(answers, facts, &$0) }.json)
    }
}

extension FlowSimulation {
    fileprivate var json: JSONValue {
        [
            "runs": .array(runs),
            "events": .array(events.map { ["name": .string($0.name), "extra": .object($0.extra)] }),
            "rules": .array(
                rules.map { trace in
                    [
                        "step_id": .string(trace.step), "rule": .integer(Int64(trace.rule)),
                        "holds": trace.holds.map(JSONValue.bool) ?? .null,
                        "tests": .array(
                            trace.tests.map { test in
                                [
                                    "reference": .string(test.reference), "seen": test.seen ?? .null,
                                    "holds": .bool(test.holds),
                                ]
                            }),
                    ]
                }),
        ]
    }
}
