public import BellwetherBase
public import BellwetherJSON

/// One line of `bellwether flow batch`: a run of a flow by actions. Hooks are not asked: each proceeds.
public enum FlowBatch {
    public static func answer(_ line: JSONValue, now: Timestamp) -> JSONValue {
        guard let object = line.object else { return error("expected an object") }
        let findings = Findings()
        let reader = JSONReader(object["flow"] ?? .null, at: JSONPointer.root.appending("flow"), findings: findings)
        guard let flow = FlowDefinition(reader) else {
            return error(findings.faults.first.map { "\($0.pointer): \($0.message)" } ?? "the flow has no steps")
        }
        var now = now
        if let given = object["now"], given != .null {
            guard let time = given.string.flatMap({ Timestamp(rfc3339: $0) }) else {
                return error("now is not a time such as 2026-03-15T12:00:00Z")
            }
            now = time
        }
        guard let actions = (object["actions"]?.present ?? []).array else { return error("actions is not an array") }
        var move = flow.start(start(object), at: now)
        var (runs, events) = ([JSONValue.object(flow.view(move.run))], move.events)
        for action in actions {
            do throws(FlowRefusal) {
                let advanced = try flow.advance(move.run, FlowBatch.action(action), at: now, hook: .proceed(data: [:]))
                guard case .moved(let next) = advanced else { continue }
                move = next
                events += next.events
                runs.append(.object(flow.view(move.run, banner: move.banner)))
            } catch {
                runs.append(["errors": .array(error.faults().map(\.json))])
            }
        }
        return [
            "runs": .array(runs),
            "events": .array(events.map { ["name": .string($0.name), "extra": .object($0.extra)] }),
        ]
    }

    private static func error(_ message: String) -> JSONValue { ["error": .string(message)] }

    private static func start(_ line: JSONObject) -> FlowStart {
        var start = FlowStart()
        start.context = line["context"]?.object ?? [:]
        start.attributes = line["attributes"]?.object ?? [:]
        (start.locale, start.platform) = (line["locale"]?.string, line["platform"]?.string)
        return start
    }

    private static func action(_ value: JSONValue) throws(FlowRefusal) -> FlowAction {
        let findings = Findings()
        let reader = JSONReader(value, findings: findings)
        let step = reader.required("step_id")?.string()
        let kind = reader.optional("action").map { $0.choice(FlowAction.Kind.self) } ?? .next
        let response = reader.optional("response").map { $0.object() } ?? [:]
        guard let step, let kind, let response else { throw .invalid(findings.faults.map(FlowFault.init)) }
        var action = FlowAction(kind, at: step, response)
        action.passesChats = true
        return action
    }
}

extension FlowFault {
    /// A fault of the shape of an action.
    public init(_ finding: Finding) {
        (pointer, code, message) = (finding.pointer, finding.code, finding.message)
    }
}
