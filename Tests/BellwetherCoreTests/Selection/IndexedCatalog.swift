import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// Catalogs of one surface. Each message is given by its triggers, in the order of selection.
enum IndexedCatalog {
    struct Entry {
        var triggers: [String] = []
        var exclusions: [String] = []
        var isControl = false
    }

    static func key(_ place: Int) -> Identifier {
        let digits = String(place)
        return Identifier("m" + String(repeating: "0", count: 5 - digits.count) + digits)
    }

    static func make(_ entries: [Entry], onControl: String = "show-next-message") throws -> Catalog {
        var names: [String: String] = [:]
        var triggers = JSONObject()
        func name(_ source: String) -> JSONValue {
            if let known = names[source] { return .string(known) }
            let name = "T\(names.count)"
            names[source] = name
            triggers[name] = .string(source)
            return .string(name)
        }
        var messages = JSONObject()
        for (place, entry) in entries.enumerated() {
            messages[key(place)] = [
                "text": "t", "surface": "microsurvey", "is-control": .bool(entry.isControl),
                "trigger-if-all": .array(entry.triggers.map(name)), "except-if-any": .array(entry.exclusions.map(name)),
            ]
        }
        let recipe: JSONObject = [
            "messages": .object(messages), "triggers": .object(triggers), "on-control": .string(onControl),
        ]
        return try Sample.catalog(["e": .object(recipe)], in: Sample.manifest())
    }

    static func sum(_ event: String, _ bound: String) -> String { "'\(event)'|eventSum('Days', 28) \(bound)" }

    /// The state of a client that had each of these events once.
    static func state(_ events: [String]) -> ClientState {
        var state = ClientState()
        for event in events { state.behavior.record(Identifier(event), count: 1, at: Sample.now) }
        return state
    }
}
