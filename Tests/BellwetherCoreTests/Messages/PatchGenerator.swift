import BellwetherJSON
import Samples
import TestSupport
import Testing

@testable import BellwetherCore

/// Random messaging values that patch one another: few names, nulls, wrong types.
struct PatchGenerator {
    var random: SeededGenerator

    private mutating func chance(_ odds: Int) -> Bool { Int.random(in: 0..<odds, using: &random) == 0 }

    private mutating func text() -> JSONValue {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: nil
        case 1: 7
        default: .string(["x", "y", ""].randomElement(using: &random) ?? "")
        }
    }

    mutating func value() -> JSONValue {
        var value = JSONObject()
        if !chance(4) { value["messages"] = chance(12) ? nil as JSONValue : messages() }
        if chance(2) { value["styles"] = chance(12) ? 7 : map(["S", "T"]) { JSONValue.integer(Int64($0)) } }
        if chance(2) {
            var triggers = JSONObject()
            for name in ["A", "B"] where chance(2) {
                triggers[name] = chance(5) ? nil : ["true", "age > 1"].randomElement(using: &random)
            }
            value["triggers"] = .object(triggers)
        }
        if chance(3) {
            value["on-control"] = ["show-none", "show-next-message", "never"].randomElement(using: &random)
        }
        if value.isEmpty { value["messages"] = [:] }
        return .object(value)
    }

    private mutating func map(_ names: [String], _ number: (Int) -> JSONValue) -> JSONValue {
        var entries = JSONObject()
        for name in names where chance(2) {
            var style = JSONObject()
            if chance(2) { style["priority"] = number(Int.random(in: 1...3, using: &random)) }
            if chance(2) { style["max-display-count"] = number(Int.random(in: 1...3, using: &random)) }
            entries[name] = chance(6) ? nil : .object(style)
        }
        return .object(entries)
    }

    private mutating func messages() -> JSONValue {
        var messages = JSONObject()
        for key in ["m", "n", "{experiment}"] where chance(2) {
            var message = JSONObject()
            for field in ["text", "title"] where chance(2) { message[field] = text() }
            if chance(3) { message["style"] = ["S", "T", "DEFAULT"].randomElement(using: &random) }
            if chance(3) {
                message["trigger-if-all"] = [["A"], ["B", "A"], [], ["ALWAYS"]].randomElement(using: &random)
            }
            if chance(4) { message["experiment"] = ["{experiment}", "e1"].randomElement(using: &random) }
            if chance(5) { message["action-params"] = ["a": text()] }
            messages[key] = chance(9) ? nil : .object(message)
        }
        return .object(messages)
    }

    /// A recipe that is a messaging value, a rollout or an experiment.
    mutating func recipe(_ slug: Identifier, revision: Int, in manifest: Manifest) throws -> Recipe {
        let values = (0..<Int.random(in: 1...3, using: &random)).map { _ in value() }
        if chance(5) { return try Sample.recipe(values[0], slug: slug.text, revision: revision, in: manifest) }
        return try SampleExperiment.messaging(
            slug, values, isRollout: Bool.random(using: &random), in: manifest, revision: revision)
    }
}
