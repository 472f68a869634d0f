/// One thing found in a document: where, what kind (a stable code), and a sentence for people.
public struct Finding: Sendable, Hashable {
    public let pointer: JSONPointer
    public let code: String
    public let message: String
    /// The known key that the author of an unknown one may have meant.
    public let suggestion: String?
    /// The keys of which it says that the object has none of them.
    let absentKeys: [String]

    public init(
        pointer: JSONPointer, code: String, message: String, suggestion: String? = nil, absentKeys: [String] = []
    ) {
        self.pointer = pointer
        self.code = code
        self.message = message
        self.suggestion = suggestion
        self.absentKeys = absentKeys
    }

    public func moved(to pointer: JSONPointer) -> Finding {
        Finding(pointer: pointer, code: code, message: message, suggestion: suggestion, absentKeys: absentKeys)
    }

    /// Whether it says that there is no such member. It stands at the object or at one of its members.
    fileprivate func misses(_ member: JSONPointer) -> Bool {
        guard !absentKeys.isEmpty, let key = member.tokens.last, absentKeys.contains(key) else { return false }
        let object = member.tokens.dropLast()
        return object.elementsEqual(pointer.tokens) || object.elementsEqual(pointer.tokens.dropLast())
    }
}

/// Collects everything that a reading finds: faults refuse the document, warnings do not. Some warnings are mistakes,
/// which refuse a document that is published now, and not one that was stored before
/// (docs/reference/http-api.md#faults-and-warnings).
///
/// At most `maximum` of each are kept, so that a hostile document cannot grow its own error report without end.
public final class Findings {
    public static let maximum = 1000

    public private(set) var faults: [Finding] = []
    public private(set) var warnings: [Finding] = []
    /// Those of the warnings that are mistakes.
    private var mistakes: Set<Finding> = []
    /// Unknown keys for which a known one is still looked for: the search takes time.
    private var suggestions = 100

    public init() {}

    public func fault(_ code: String, at pointer: JSONPointer, _ message: String) {
        guard faults.count < Self.maximum else { return }
        faults.append(Finding(pointer: pointer, code: code, message: message))
    }

    /// Whether a fault or a warning of this code is found at a location.
    func has(_ code: String, at pointer: JSONPointer) -> Bool {
        (faults + warnings).contains { $0.code == code && $0.pointer == pointer }
    }

    /// Whether something is found at a location or within it.
    public func hasFindings(within pointer: JSONPointer) -> Bool {
        faults.contains { $0.pointer.isWithin(pointer) } || warnings.contains { $0.pointer.isWithin(pointer) }
    }

    public func hasFaults(within pointer: JSONPointer) -> Bool { faults.contains { $0.pointer.isWithin(pointer) } }

    public func warn(_ code: String, at pointer: JSONPointer, _ message: String, absentKeys: [String] = []) {
        guard warnings.count < Self.maximum else { return }
        warnings.append(Finding(pointer: pointer, code: code, message: message, absentKeys: absentKeys))
    }

    /// Adds what follows to the warnings of this code at a location. A mistake refuses the document: nothing follows.
    public func add(consequence: String, to code: String, at pointer: JSONPointer) {
        for index in warnings.indices where warnings[index].code == code && warnings[index].pointer == pointer {
            let old = warnings[index]
            guard !mistakes.contains(old) else { continue }
            warnings[index] = Finding(
                pointer: pointer, code: code, message: "\(old.message): \(consequence)", suggestion: old.suggestion,
                absentKeys: old.absentKeys)
        }
    }

    public func warn(_ finding: Finding, isMistake: Bool = false) {
        guard warnings.count < Self.maximum else { return }
        warnings.append(finding)
        if isMistake { mistakes.insert(finding) }
    }

    public func fault(_ finding: Finding) {
        guard faults.count < Self.maximum else { return }
        faults.append(finding)
    }

    /// The known key that is nearest to an unknown one; nil: none is near, or too many were looked for.
    ///
    /// - Parameter isSlip: only a key that differs by one character is near.
    func suggestion(for key: String, among known: some Sequence<String>, isSlip: Bool = false) -> String? {
        guard suggestions > 0 else { return nil }
        suggestions -= 1
        return NearestKey.to(key, among: known, isSlip: isSlip)
    }

    /// Takes over what another reading has found, at other locations.
    public func take(_ other: Findings, at location: (JSONPointer) -> JSONPointer) {
        for finding in other.warnings {
            warn(finding.moved(to: location(finding.pointer)), isMistake: other.mistakes.contains(finding))
        }
        for finding in other.faults { fault(finding.moved(to: location(finding.pointer))) }
    }

    /// Ends the reading of a document. A misspelled key is reported once, and not as an absent one too.
    ///
    /// - Parameter isStored: whether the document was published before; else its mistakes are faults.
    public func settle(isStored: Bool = false) {
        for slip in faults + warnings where slip.code == "unknown_key" {
            if let suggestion = slip.suggestion { merge(slip, meaning: slip.pointer.sibling(suggestion)) }
        }
        if !isStored { refuseMistakes() }
    }

    /// The slip is as severe as the findings that it stands for.
    private func merge(_ slip: Finding, meaning meant: JSONPointer) {
        let isFault = faults.contains { $0.misses(meant) }
        let isMistake = warnings.contains { $0.misses(meant) && mistakes.contains($0) }
        faults.removeAll { $0.misses(meant) }
        warnings.removeAll { $0.misses(meant) }
        guard let index = warnings.firstIndex(of: slip) else { return }
        if isMistake { mistakes.insert(slip) }
        if isFault { faults.append(warnings.remove(at: index)) }
    }

    /// Unknown keys for which a known one is near.
    private var slips: [Finding] { (faults + warnings).filter { $0.suggestion != nil } }

    /// The document as its author may have meant it: misspelled keys are the known ones. Nil: none is misspelled.
    public func meaning(of document: JSONValue) -> JSONValue? {
        let meant = slips.reduce(document) { document, slip in
            document.renaming(slip.pointer.tokens[...], to: slip.suggestion ?? "")
        }
        guard meant != document else { return nil }
        return meant
    }

    /// Drops what is not found of the document as it was meant: it follows from misspelled keys. A document that is
    /// refused stays so, by these.
    public func dropConsequences(knowing meant: Findings) {
        func isOwn(_ finding: Finding) -> Bool {
            finding.suggestion != nil
                || (meant.faults + meant.warnings).contains {
                    $0.code == finding.code && $0.pointer == finding.pointer
                }
        }
        let isRefused = !faults.isEmpty
        faults.removeAll { !isOwn($0) }
        warnings.removeAll { !isOwn($0) }
        guard isRefused, faults.isEmpty else { return }
        faults = slips
        warnings.removeAll { $0.suggestion != nil }
    }

    /// Makes the mistakes faults: the document is published now.
    func refuseMistakes() {
        guard !mistakes.isEmpty else { return }
        for finding in warnings where mistakes.contains(finding) { fault(finding) }
        warnings.removeAll { mistakes.contains($0) }
        mistakes = []
    }

    /// Makes every warning a fault (`?strict=true`, docs/reference/http-api.md#faults-and-warnings).
    public func promoteWarnings() {
        faults += warnings
        warnings = []
    }
}
