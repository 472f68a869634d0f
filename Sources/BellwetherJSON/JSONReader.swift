/// A value with its location, and the findings to which its faults are added.
///
/// Reads typed values. A value of the wrong type becomes a finding, and reading continues, so that all faults of a
/// document are found at once. The codes are `required`, `type`, `length`, `range`, `choice`, `unknown_key`, and the
/// codes of the caller.
public struct JSONReader {
    public let value: JSONValue
    public let findings: Findings
    private let path: Path
    private let severity: Severity

    /// The severity of a wrong value.
    private enum Severity {
        case fault
        case warning
        /// An unknown key and an unreadable value are mistakes; all other findings are warnings.
        case mistake
    }

    /// The codes of findings about values that read as missing.
    private static let mistakes: Set<String> = [
        "choice", "identifier", "length", "range", "required", "time", "type", "unknown_key",
    ]

    /// The path to a value, as a list linked to its parents. A pointer is created only for a finding.
    private final class Path {
        enum Step {
            case pointer(JSONPointer)
            case key(String)
            case index(Int)
        }

        let parent: Path?
        let step: Step

        init(_ parent: Path?, _ step: Step) {
            self.parent = parent
            self.step = step
        }

        var pointer: JSONPointer {
            switch step {
            case .pointer(let pointer): pointer
            case .key(let key): (parent?.pointer ?? .root).appending(key)
            case .index(let index): (parent?.pointer ?? .root).appending(index)
            }
        }
    }

    public init(_ value: JSONValue, at pointer: JSONPointer = .root, findings: Findings) {
        self.init(value, Path(nil, .pointer(pointer)), findings, .fault)
    }

    private init(_ value: JSONValue, _ path: Path, _ findings: Findings, _ severity: Severity) {
        self.value = value
        self.path = path
        self.findings = findings
        self.severity = severity
    }

    public var pointer: JSONPointer { path.pointer }

    /// The same location, but wrong types and ranges are warnings: the SDK reads such a field as missing
    /// (docs/reference/messaging.md#wrong-types).
    public var tolerant: JSONReader { JSONReader(value, path, findings, .warning) }

    /// The same location, but each finding is a fault that refuses the document.
    public var strict: JSONReader { JSONReader(value, path, findings, .fault) }

    /// The same location in a part whose vocabulary is Bellwether's own. An unknown key or an unreadable value refuses
    /// a document that is published now. A stored document is read as with `tolerant`
    /// (docs/reference/http-api.md#faults-and-warnings).
    public var own: JSONReader { JSONReader(value, path, findings, .mistake) }

    /// A member that must exist; null counts as present. If it is missing, there is a finding `required` at its
    /// location. If this is not an object, there is a finding `type`, but only once for all its members.
    public func required(_ key: String) -> JSONReader? {
        guard let object = value.object else {
            if !findings.has("type", at: pointer) { _ = self.object() }
            return nil
        }
        guard let value = object[key] else {
            report(
                "required", at: pointer.appending(key), "the member \(quoted(key)) is missing", absentKeys: [key])
            return nil
        }
        return child(.key(key), value)
    }

    /// An optional member. Nil without a finding if it is missing or null, or if this is not an object.
    public func optional(_ key: String) -> JSONReader? {
        guard let value = value.object?[key], value != .null else { return nil }
        return child(.key(key), value)
    }

    /// - Parameter absentKeys: the keys that this object lacks according to the message.
    public func finding(_ code: String, _ message: String, absentKeys: [String] = []) {
        report(code, at: pointer, message, absentKeys: absentKeys)
    }

    func child(key: String, _ value: JSONValue) -> JSONReader { child(.key(key), value) }
    func child(index: Int, _ value: JSONValue) -> JSONReader { child(.index(index), value) }

    private func child(_ step: Path.Step, _ value: JSONValue) -> JSONReader {
        JSONReader(value, Path(path, step), findings, severity)
    }

    func report(
        _ code: String, at pointer: JSONPointer, _ message: String, suggestion: String? = nil,
        absentKeys: [String] = []
    ) {
        let finding = Finding(
            pointer: pointer, code: code, message: message, suggestion: suggestion, absentKeys: absentKeys)
        switch severity {
        case .fault: findings.fault(finding)
        case .warning: findings.warn(finding)
        case .mistake: findings.warn(finding, isMistake: Self.mistakes.contains(code))
        }
    }

    /// A key or a word in quotation marks, for messages.
    package func quoted(_ text: String) -> String { JSONValue.string(text).text }
}
