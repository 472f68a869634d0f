/// The settings of a file: their values, and all faults.
public struct SettingsDocument: Sendable, Hashable {
    /// The maximum size of a file. A larger file is not read.
    public static let maximumBytes = 1 << 20
    /// The number of faults that are listed. Further faults are only counted.
    public static let maximumFaults = 100

    /// The values by the names of `SettingsTable`. A setting whose value is wrong or empty is absent.
    public private(set) var values: [String: SettingValue] = [:]
    /// The faults, in the order of the file.
    public private(set) var faults: [SettingsFault] = []
    /// The number of faults beyond `maximumFaults`.
    public private(set) var furtherFaults = 0

    /// The line in which each setting was found.
    private var lines: [String: Int] = [:]

    /// Reads a YAML text. An unknown name is a fault: a misspelled setting would otherwise have no effect.
    public init(_ bytes: [UInt8]) {
        do throws(YAMLFault) {
            guard bytes.count <= Self.maximumBytes else {
                throw YAMLFault(sentence: "the file has more than \(Self.maximumBytes) bytes", line: 1)
            }
            guard let root = try YAMLDocument.read(bytes), !root.isNull else { return }
            guard case .mapping(let members) = root.content else {
                let sentence = "a settings file is a mapping of settings, not \(root.kind())"
                throw YAMLFault(sentence: sentence, line: root.line)
            }
            add(members, under: "")
        } catch {
            fault(error.sentence, at: error.line)
        }
    }

    private mutating func fault(_ sentence: String, at line: Int) {
        if faults.count < Self.maximumFaults {
            faults.append(SettingsFault(line: line, sentence: sentence))
        } else {
            furtherFaults += 1
        }
    }

    private mutating func add(_ members: [(key: YAMLNode, value: YAMLNode)], under prefix: String) {
        for (key, value) in members {
            guard case .scalar(let text, _) = key.content else {
                fault("the name of a setting is a text, not \(key.kind(asKey: true))", at: key.line)
                continue
            }
            let name = prefix + text
            if let entry = SettingsTable.entry(name) {
                set(entry, value)
            } else if SettingsTable.isGroup(name) {
                add(group: name, value)
            } else {
                let isMerge = text == "<<"
                fault(
                    isMerge ? "merge keys (<<) are not supported" : "there is no setting \(name.shown)", at: key.line)
            }
        }
    }

    private mutating func add(group name: String, _ value: YAMLNode) {
        if case .mapping(let members) = value.content { return add(members, under: name + ".") }
        guard !value.isNull else { return }
        fault("\(name) is a group of settings, not \(value.kind())", at: value.line)
    }

    private mutating func set(_ entry: SettingsTable.Entry, _ value: YAMLNode) {
        if let line = lines[entry.key] {
            return fault("\(entry.key) is set twice, first in line \(line)", at: value.line)
        }
        lines[entry.key] = value.line
        guard !value.isNull else { return }
        guard let content = value.value(like: entry.defaultValue), entry.allows(content) else {
            let found = value.isScalar ? "" : ", but \(value.kind())"
            return fault("\(entry.key) is not \(entry.kind)\(found)", at: value.line)
        }
        values[entry.key] = content
    }
}

/// A fault in a line of a settings file. It names settings and never quotes a value, which may be secret.
public struct SettingsFault: Sendable, Hashable {
    /// The line's number, from 1.
    public let line: Int
    public let sentence: String
}

/// The forms of values in YAML: whole numbers in decimal digits, `true` and `false` with their other YAML 1.1
/// spellings, and all other values as text.
extension YAMLNode {
    private enum Scalar {
        case null
        case flag(Bool)
        case number(Int)
        case text(String)
    }

    var isScalar: Bool { if case .scalar = content { true } else { false } }
    var isNull: Bool { if case .null = scalar { true } else { false } }

    /// The kind of a node, as words for a sentence. `{{ name }}` is a mapping whose key is a mapping.
    func kind(asKey isKey: Bool = false) -> String {
        switch content {
        case .scalar: return "a single value"
        case .list: return "a list"
        case .mapping(let members):
            let isTemplate = isKey || members.contains { !$0.key.isScalar }
            return isTemplate ? "a mapping (a template that was not rendered?)" : "a mapping"
        }
    }

    /// The value of a setting whose type is that of `model`; nil if the value has another type.
    fileprivate func value(like model: SettingValue) -> SettingValue? {
        switch (model, scalar) {
        case (.number, .number(let number)): .number(number)
        case (.flag, .flag(let flag)): .flag(flag)
        case (.text, .text(let text)): .text(text)
        case (.texts, nil): texts.map(SettingValue.texts)
        case (.pairs, nil): named(\.plainText).map(SettingValue.pairs)
        case (.secrets, nil): named(\.secret).map(SettingValue.secrets)
        default: nil
        }
    }

    private var texts: [String]? {
        guard case .list(let elements) = content, tag == nil || tag == Self.prefix + "seq" else { return nil }
        var texts: [String] = []
        for element in elements {
            guard case .text(let text) = element.scalar else { return nil }
            texts.append(text)
        }
        return texts
    }

    private var plainText: String? { if case .text(let text) = scalar { text } else { nil } }

    private var secret: SecretSetting? {
        if let text = plainText { return SecretSetting(text) }
        guard let members = named({ $0 }), Set(members.keys).isSubset(of: ["value", "apps", "hosts"]),
            let value = members["value"]?.plainText
        else { return nil }
        let (apps, hosts) = (members["apps"]?.texts, members["hosts"]?.texts)
        guard (apps == nil) == (members["apps"] == nil), (hosts == nil) == (members["hosts"] == nil) else { return nil }
        return SecretSetting(value, scope: SecretSetting.Scope(apps: apps, hosts: hosts))
    }

    /// The named values; nil if a name is empty or occurs twice, or if a value is invalid.
    private func named<Value>(_ read: (YAMLNode) -> Value?) -> [String: Value]? {
        guard case .mapping(let members) = content, tag == nil || tag == Self.prefix + "map" else { return nil }
        var values: [String: Value] = [:]
        for (key, value) in members {
            guard case .scalar(let name, _) = key.content, !name.isEmpty, !name.contains("="), values[name] == nil,
                let read = read(value)
            else { return nil }
            values[name] = read
        }
        return values
    }

    /// The scalar; nil for lists, mappings, and scalars with a tag that is not one of YAML's own scalar types.
    private var scalar: Scalar? {
        guard case .scalar(let text, let isPlain) = content else { return nil }
        guard let tag, tag != "!" else { return isPlain ? Self.resolve(text) : .text(text) }
        switch (tag, Self.resolve(text)) {
        case (Self.prefix + "str", _): return .text(text)
        case (Self.prefix + "int", .number(let number)): return .number(number)
        case (Self.prefix + "bool", .flag(let flag)): return .flag(flag)
        case (Self.prefix + "null", .null): return .null
        default: return nil
        }
    }

    private static func resolve(_ text: String) -> Scalar {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON": return .flag(true)
        case "false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF": return .flag(false)
        default: return number(text).map(Scalar.number) ?? .text(text)
        }
    }

    /// The number: digits with an optional sign, and underscores between them. A leading 0 could mean octal, so it is
    /// refused.
    private static func number(_ text: String) -> Int? {
        let digits = text.drop { $0 == "-" || $0 == "+" }
        guard text.count - digits.count <= 1, let first = digits.first, first.isASCII, first.isNumber,
            first != "0" || digits.count == 1
        else { return nil }
        return Int(text.replacing("_", with: ""))
    }
}
