/// The value of each setting: of the flags, else of the environment, else of the file, else the default
/// (docs/reference/http-api.md#the-command-serve).
public struct SettingsLayers: Sendable {
    private var values: [String: SettingValue] = [:]

    /// - Parameters:
    ///   - flags: Values by the settings' names.
    ///   - environment: All variables of the process.
    ///   - file: The values of `SettingsDocument`.
    ///   - isOpen: Whether the defaults are those of `--dev`.
    public init(
        flags: [String: SettingValue] = [:], environment: [String: String] = [:], file: [String: SettingValue] = [:],
        isOpen: Bool = false
    ) {
        for entry in SettingsTable.entries {
            let standard = isOpen ? entry.openValue ?? entry.defaultValue : entry.defaultValue
            let variable = environment[entry.variable]
            values[entry.key] = flags[entry.key] ?? variable.map(entry.value(of:)) ?? file[entry.key] ?? standard
        }
        for name in file.keys.compactMap(Self.sink) {
            for entry in SettingsTable.sinkMembers {
                let key = "sinks.\(name).\(entry.key)"
                values[key] = file[key] ?? entry.defaultValue
            }
        }
    }

    /// The names of the sinks, sorted.
    public var sinks: [String] { Set(values.keys.compactMap(Self.sink)).sorted() }

    private static func sink(_ key: String) -> String? {
        let parts = key.split(separator: ".")
        return parts.count == 3 && parts[0] == "sinks" ? String(parts[1]) : nil
    }

    /// Nil if the value is no number of the setting's range.
    public func number(_ key: String) -> Int? {
        guard case .number(let number) = values[key] else { return nil }
        return SettingsTable.entry(key)?.range?.contains(number) ?? true ? number : nil
    }

    public func flag(_ key: String) -> Bool? { if case .flag(let flag) = values[key] { flag } else { nil } }

    public func text(_ key: String) -> String? { if case .text(let text) = values[key] { text } else { nil } }

    /// A list of texts, or a mapping of texts as `NAME=TEXT`, sorted.
    public func texts(_ key: String) -> [String]? {
        switch values[key] {
        case .texts(let texts): texts
        case .pairs(let pairs): pairs.map { "\($0)=\($1)" }.sorted()
        default: nil
        }
    }

    /// The secrets of a mapping, sorted by name, or those of the environment's list, each as `NAME=SECRET`. An entry of
    /// another form is nil.
    public func secrets(_ key: String) -> [(name: String, secret: SecretSetting)?]? {
        switch values[key] {
        case .secrets(let secrets): secrets.sorted { $0.key < $1.key }.map { (name: $0.key, secret: $0.value) }
        case .texts(let texts):
            texts.map { text in
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                return parts.count == 2 && !parts[0].isEmpty ? (name: parts[0], secret: SecretSetting(parts[1])) : nil
            }
        default: nil
        }
    }
}

extension SettingsTable.Entry {
    /// The value that a variable's text stands for. A list is separated by commas. A text that is no value of the
    /// setting's type stays a text.
    fileprivate func value(of text: String) -> SettingValue {
        switch defaultValue {
        case .text: return .text(text)
        case .number: return Int(text).map { .number($0) } ?? .text(text)
        case .flag:
            switch text.lowercased() {
            case "true", "yes", "1": return .flag(true)
            case "false", "no", "0": return .flag(false)
            default: return .text(text)
            }
        case .texts, .pairs, .secrets:
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            return .texts(parts.map { String($0.trimmingSpaces()) })
        }
    }
}

extension Substring {
    fileprivate func trimmingSpaces() -> Substring {
        let start = drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }
}
