/// A value at a place, and where to tell what is wrong with it.
///
/// Reads typed. What is not as asked becomes a finding and the reading goes on, so that a document's faults are all
/// found at once. Codes: `required`, `type`, `length`, `range`, `choice`, `unknown_key`, and those of the caller.
public struct JSONReader {
    public let value: JSONValue
    public let findings: Findings
    private let place: Place
    private let isTolerant: Bool

    /// The way to a value, linked upwards: a pointer is built only for a finding.
    private final class Place {
        enum Step {
            case pointer(JSONPointer)
            case key(String)
            case index(Int)
        }

        let parent: Place?
        let step: Step

        init(_ parent: Place?, _ step: Step) {
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
        self.init(value, Place(nil, .pointer(pointer)), findings, isTolerant: false)
    }

    private init(_ value: JSONValue, _ place: Place, _ findings: Findings, isTolerant: Bool) {
        self.value = value
        self.place = place
        self.findings = findings
        self.isTolerant = isTolerant
    }

    public var pointer: JSONPointer { place.pointer }

    /// The same place, but wrong types and ranges are warnings: the SDK reads such a field as missing
    /// (docs/reference/messaging.md#wrong-types).
    public var tolerant: JSONReader { JSONReader(value, place, findings, isTolerant: true) }

    /// The same place, where what is wrong refuses the document.
    public var strict: JSONReader { JSONReader(value, place, findings, isTolerant: false) }

    /// A member that must exist; null counts as present. Not there: finding `required`, at the place where it is
    /// missing. No object here: finding `type`, once, however many members it should have.
    public func required(_ key: String) -> JSONReader? {
        guard let object = value.object else {
            if !findings.hasFault("type", at: pointer) { _ = self.object() }
            return nil
        }
        guard let value = object[key] else {
            report("required", at: pointer.appending(key), "the member \(quoted(key)) is missing")
            return nil
        }
        return child(.key(key), value)
    }

    /// A member that may be missing or null, or stand in something that is no object: all nil, none a finding.
    public func optional(_ key: String) -> JSONReader? {
        guard let value = value.object?[key], value != .null else { return nil }
        return child(.key(key), value)
    }

    public func finding(_ code: String, _ message: String) {
        report(code, at: pointer, message)
    }

    func child(key: String, _ value: JSONValue) -> JSONReader { child(.key(key), value) }
    func child(index: Int, _ value: JSONValue) -> JSONReader { child(.index(index), value) }

    private func child(_ step: Place.Step, _ value: JSONValue) -> JSONReader {
        JSONReader(value, Place(place, step), findings, isTolerant: isTolerant)
    }

    func report(_ code: String, at pointer: JSONPointer, _ message: String) {
        if isTolerant {
            findings.warn(code, at: pointer, message)
        } else {
            findings.fault(code, at: pointer, message)
        }
    }

    /// A key or a word as messages show it.
    package func quoted(_ text: String) -> String { JSONValue.string(text).text }
}
