internal import BellwetherJSON
internal import Surveys

/// Warnings about values of a flow's steps and fields that do not have the effect that their author expects
/// (docs/findings.md#flows).
struct FlowValueCheck {
    let today: CalendarDay
    let findings: Findings

    func check(_ step: FlowOutline.Step, _ definition: FlowStep) {
        checkMode(step.config("selection_mode"))
        checkLocalizations(step.config("localizations") ?? step.reader.optional("localizations"), step)
        for field in step.fields {
            if field.isBlock { checkMode(field.location.optional("selection_mode")) }
            let config = field.location.optional("config")
            if !field.isBlock, let config { checkBounds(config) }
            guard let value = config?.optional("default_value") ?? field.location.optional("default_value"),
                let fault = definition.fields.first(where: { $0.id == field.id })?.faultOfDefault(on: today)
            else { continue }
            findings.warn("initial_outside", at: value.pointer, "the field does not take its default: \(fault)")
        }
    }

    private func checkMode(_ location: JSONReader?) {
        guard let location, let mode = location.value.string, !["single", "multi"].contains(mode) else { return }
        findings.warn(
            "choice", at: location.pointer, "\"\(mode)\" is read as \"single\": a selection is \"single\" or \"multi\"")
    }

    /// The names of bounds are longer for fields than for blocks.
    private func checkBounds(_ config: JSONReader) {
        for (key, meant) in [("min", "min_value"), ("max", "max_value")] {
            guard let location = config.optional(key), config.optional(meant) == nil else { continue }
            findings.warn(
                Finding(
                    pointer: location.pointer, code: "unknown_key",
                    message: "nothing reads the key \"\(key)\": did you mean \"\(meant)\"?", suggestion: meant))
        }
    }

    // MARK: Localizations

    private static let texts: Set<String> = ["title", "subtitle", "cta_text", "image_url"]

    /// Reports keys that match no text of the step (docs/reference/flows.md#languages).
    private func checkLocalizations(_ tables: JSONReader?, _ step: FlowOutline.Step) {
        guard let tables, tables.value.object != nil else { return }
        for (_, table) in tables.members() ?? [] where table.value.object != nil {
            for (key, text) in table.members() ?? [] {
                let path = key.split(separator: ".").map(String.init)[...]
                let isKnown =
                    path.count == 1 && Self.texts.contains(key)
                    || step.configs.contains { Self.leads(path, into: $0.value) }
                if isKnown { continue }
                findings.warn("unknown_text", at: text.pointer, "\"\(key)\" leads to no text of step \"\(step.id)\"")
            }
        }
    }

    private static func leads(_ path: ArraySlice<String>, into value: JSONValue) -> Bool {
        guard let key = path.first else { return true }
        let rest = path.dropFirst()
        switch value {
        case .object(let object):
            return object[key].map { leads(rest, into: $0) } ?? (rest.isEmpty && path.startIndex > 0)
        case .array(let elements):
            guard let index = elements.firstIndex(where: { $0.object?["id"]?.string == key }) ?? Int(key),
                elements.indices.contains(index)
            else { return false }
            return leads(rest, into: elements[index])
        default: return false
        }
    }
}
