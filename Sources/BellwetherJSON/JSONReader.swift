/// A value with its location, and the findings to which its faults are added.
///
/// Reads typed values. A value of another type becomes a finding and reading continues, so that all faults of a
/// document are found at once. Codes: `required`, `type`, `length`, `range`, `choice`, `unknown_key`, and those of the
/// caller.
public struct JSONReader {
    public let value: JSONValue
    public let findings: Findings
    private let path: Path
    private let severity: Severity

    /// The severity of a wrong value.
    private enum Severity {
        case fault
        case warning
        /// An unknown key and a value that cannot be read are mistakes, other things are warnings.
        case mistake
    }

    /// The codes of what is read as missing.
    private static let mistakes: Set<String> = [
        "choice", "identifier", "length", "range", "required", "time", "type", "unknown_key",
    ]

    /// The way to a value, linked upwards: a pointer is built only for a finding.
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

    /// The same location, where a fault refuses the document.
    public var strict: JSONReader { JSONReader(value, path, findings, .fault) }

    /// The same location, in words of Bellwether's own: an unknown key or a value that cannot be read refuses a
    /// document that is published now. One that is stored is read as with `tolerant`
    /// (docs/reference/http-api.md#faults-and-warnings).
    public var own: JSONReader { JSONReader(value, path, findings, .mistake) }

    /// A member that must exist; null counts as present. Not there: finding `required`, at the location where it is
    /// missing. If this is not an object: finding `type`, once, however many members it should have.
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

    /// - Parameter absentKeys: those of which the message says that this object has none.
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

    /// A key or a word as messages show it.
    package func quoted(_ text: String) -> String { JSONValue.string(text).text }
}
