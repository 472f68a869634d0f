internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import BellwetherService
internal import HTTPWire
internal import Surveys

/// Walks a flow that need not be stored; nothing is stored (docs/reference/http-api.md#simulation).
enum SimulateRoute {
    static let all = [Endpoint(.post, "/v1/apps/{app}/recipes/simulate", .needs(.read), handle: post)]

    private static let maximumActions = 200

    @Sendable private static func post(_ call: Call) throws(APIError) -> Handling {
        let app = try call.app()
        let findings = Findings()
        let reader = JSONReader(try call.json(), findings: findings)
        _ = reader.object()
        let document = reader.required("document")
        let slug = reader.optional("slug")?.identifier() ?? "simulated"
        let locale = reader.optional("locale")?.string(length: 1...100)
        let now = reader.optional("now").flatMap { $0.time() } ?? call.arrived
        let actions = reader.optional("actions")?.elements() ?? []
        var start = FlowStart()
        start.attributes = reader.optional("attributes")?.object() ?? [:]
        start.context = reader.optional("context")?.object() ?? [:]
        (start.locale, start.platform) = (locale, reader.optional("platform")?.string(length: 1...100))
        guard actions.count <= maximumActions else {
            throw .invalid(
                "too_many", "a simulation has at most \(maximumActions) actions",
                at: JSONPointer(tokens: ["actions"]))
        }
        guard findings.faults.isEmpty, let document else { throw .badRequest(findings.faults) }
        let definition = FlowDefinition(document, slug: slug)
        guard findings.faults.isEmpty, let definition else {
            throw .invalid(
                findings.faults.isEmpty
                    ? [Finding(pointer: document.pointer, code: "kind", message: "only flows can be walked")]
                    : findings.faults)
        }
        let localizer = app.strings.localizer(for: locale.flatMap { LanguageTag($0) })
        let flow = definition.speaking(FlowLanguage(localizer, shortName: app.manifest.shortName))
        let simulation = call.judging { budget in
            var simulation = FlowSimulation(flow, start, at: now, &budget)
            for action in actions { simulation.take(action.value, &budget) }
            return simulation
        }
        return .now(.json(200, simulation.json))
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
