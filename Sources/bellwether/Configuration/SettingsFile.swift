internal import Configuration
internal import Foundation
internal import Yams

/// The configuration file, flattened to the names of the settings table.
struct SettingsFile {
    private(set) var values: [AbsoluteConfigKey: ConfigValue] = [:]
    private(set) var faults: [String] = []

    init() {}

    /// Reads a YAML file. What is not a setting is a fault, so that a misspelled one is not silently without effect.
    init(path: String) throws(SettingsError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SettingsError(["\(path): the configuration cannot be read"])
        }
        let document: Any?
        do {
            document = try Yams.load(yaml: String(decoding: data, as: UTF8.self))
        } catch {
            throw SettingsError(["\(path): \(error)"])
        }
        guard let document else { return }
        guard let mapping = document as? [String: Any] else {
            throw SettingsError(["\(path): a configuration is a mapping of settings"])
        }
        add(mapping, under: "")
        faults = faults.map { "\(path): \($0)" }
    }

    private mutating func add(_ mapping: [String: Any], under prefix: String) {
        for (name, value) in mapping.sorted(by: { $0.key < $1.key }) {
            let key = prefix + name
            if let nested = value as? [String: Any] {
                add(nested, under: key + ".")
            } else if let entry = SettingsTable.entries.first(where: { $0.key == key }) {
                add(value, for: entry)
            } else {
                faults.append("there is no setting \(key)")
            }
        }
    }

    private mutating func add(_ value: Any, for entry: SettingsTable.Entry) {
        guard !(value is NSNull) else { return }
        guard let content = Self.content(value, as: entry.defaultValue) else {
            faults.append("\(entry.key) is not \(entry.kind)")
            return
        }
        values[AbsoluteConfigKey(ConfigKey(entry.key))] = ConfigValue(content, isSecret: entry.key == "tokens")
    }

    private static func content(_ value: Any, as model: ConfigContent) -> ConfigContent? {
        switch model {
        case .int: (value as? Int).map(ConfigContent.int)
        case .bool: (value as? Bool).map(ConfigContent.bool)
        case .string: (value as? String).map(ConfigContent.string)
        case .stringArray: (value as? [String]).map(ConfigContent.stringArray)
        default: nil
        }
    }
}

/// Everything that is wrong with a configuration, a sentence each.
struct SettingsError: Error, CustomStringConvertible {
    let sentences: [String]

    init(_ sentences: [String]) { self.sentences = sentences }

    var description: String { sentences.joined(separator: "\n") }
}

extension SettingsTable.Entry {
    /// What the setting holds, as a complaint says it.
    var kind: String {
        switch defaultValue {
        case .int: range.map { "a whole number from \($0.lowerBound) to \($0.upperBound)" } ?? "a whole number"
        case .bool: "true or false"
        case .stringArray: "a list of texts"
        default: "a text"
        }
    }
}
