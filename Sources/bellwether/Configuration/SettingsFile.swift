internal import BellwetherJSON
internal import BellwetherSettings
internal import Configuration
internal import Foundation

/// The settings of a file as a layer below flags and environment, and the faults of the file.
struct SettingsFile {
    private(set) var values: [AbsoluteConfigKey: ConfigValue] = [:]
    private(set) var faults: [String] = []

    init() {}

    init(path: String) throws(SettingsError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SettingsError(["\(path): the configuration cannot be read"])
        }
        let document = SettingsDocument(Array(data))
        for (key, value) in document.values {
            let isSecret = ["tokens", "web.identity_secrets", "webhooks.secrets"].contains(key)
            values[AbsoluteConfigKey(ConfigKey(key))] = ConfigValue(value.content, isSecret: isSecret)
        }
        faults = document.faults.map { "\(path):\($0.line): \($0.sentence)" }
        if document.furtherFaults > 0 { faults.append("\(path): \(document.furtherFaults) further faults") }
    }
}

/// All faults of a configuration, one sentence each.
struct SettingsError: Error, CustomStringConvertible {
    let sentences: [String]

    init(_ sentences: [String]) { self.sentences = sentences }

    var description: String { sentences.joined(separator: "\n") }
}

extension SettingValue {
    var content: ConfigContent {
        switch self {
        case .number(let number): .int(number)
        case .flag(let flag): .bool(flag)
        case .text(let text): .string(text)
        case .texts(let texts): .stringArray(texts)
        case .pairs(let pairs): .stringArray(pairs.map { "\($0)=\($1)" }.sorted())
        case .secrets(let secrets): .stringArray(secrets.map { $1.text(named: $0) }.sorted())
        }
    }
}

extension SecretSetting {
    /// The secret as `NAME=SECRET`, as in the environment, or as a JSON object.
    fileprivate func text(named name: String) -> String {
        guard let scope else { return "\(name)=\(value)" }
        var json: JSONObject = ["name": .string(name), "value": .string(value)]
        json["apps"] = scope.apps.map { .array($0.map { .string($0) }) }
        json["hosts"] = scope.hosts.map { .array($0.map { .string($0) }) }
        return JSONValue.object(json).text
    }
}
