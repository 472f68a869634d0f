/// One thing found in a document: where, what kind (a stable code), and a sentence for people.
public struct Finding: Sendable, Hashable {
    public let pointer: JSONPointer
    public let code: String
    public let message: String

    public init(pointer: JSONPointer, code: String, message: String) {
        self.pointer = pointer
        self.code = code
        self.message = message
    }
}

/// Collects everything that a reading finds: faults refuse the document, warnings do not.
///
/// At most `maximum` of each are kept, so that a hostile document cannot grow its own error report without end.
public final class Findings {
    public static let maximum = 1000

    public private(set) var faults: [Finding] = []
    public private(set) var warnings: [Finding] = []

    public init() {}

    public func fault(_ code: String, at pointer: JSONPointer, _ message: String) {
        guard faults.count < Self.maximum else { return }
        faults.append(Finding(pointer: pointer, code: code, message: message))
    }

    public func hasFault(_ code: String, at pointer: JSONPointer) -> Bool {
        faults.contains { $0.code == code && $0.pointer == pointer }
    }

    public func warn(_ code: String, at pointer: JSONPointer, _ message: String) {
        guard warnings.count < Self.maximum else { return }
        warnings.append(Finding(pointer: pointer, code: code, message: message))
    }

    /// Makes every warning a fault (`?strict=true`, docs/reference/http-api.md#faults-and-warnings).
    public func promoteWarnings() {
        faults += warnings
        warnings = []
    }
}
