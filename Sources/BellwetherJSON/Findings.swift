/// One finding in a document: its location, its kind (a stable code), and a sentence for people.
public struct Finding: Sendable, Hashable {
    public let pointer: JSONPointer
    public let code: String
    public let message: String
    /// The known key that the author of an unknown key may have meant.
    public let suggestion: String?
    /// The keys that the object lacks according to this finding.
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

    /// Whether the finding says that a member is missing. Its location is the object or one of its members.
    fileprivate func misses(_ member: JSONPointer) -> Bool {
        guard !absentKeys.isEmpty, let key = member.tokens.last, absentKeys.contains(key) else { return false }
        let object = member.tokens.dropLast()
        return object.elementsEqual(pointer.tokens) || object.elementsEqual(pointer.tokens.dropLast())
    }
}

/// Collects everything that a reading finds. Faults refuse the document; warnings do not. Some warnings are mistakes:
/// they refuse a document that is published now, but not a document that was stored before
/// (docs/reference/http-api.md#faults-and-warnings).
///
/// At most `maximum` findings of each kind are kept, so that a hostile document cannot make its error report grow
/// without limit.
public final class Findings {
    public static let maximum = 1000

    public private(set) var faults: [Finding] = []
    public private(set) var warnings: [Finding] = []
    /// The warnings that are mistakes.
    private var mistakes: Set<Finding> = []
    /// The number of unknown keys for which a known key may still be searched, because the search takes time.
    private var suggestions = 100

    public init() {}

    public func fault(_ code: String, at pointer: JSONPointer, _ message: String) {
        guard faults.count < Self.maximum else { return }
        faults.append(Finding(pointer: pointer, code: code, message: message))
    }

    /// Whether there is a fault or a warning with this code at a location.
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

    /// Appends a consequence to the warnings with this code at a location. A fault refuses the document, so it has no
    /// consequence.
    public func add(consequence: String, to code: String, at pointer: JSONPointer) {
        add(consequence) { $0.code == code && $0.pointer == pointer }
    }

    /// Appends a consequence to the warnings about a value and its parts, except for those about their spelling.
    public func add(consequence: String, within pointer: JSONPointer) {
        add(consequence) { $0.code != "alias" && $0.pointer.isWithin(pointer) }
    }

    private func add(_ consequence: String, where isMeant: (Finding) -> Bool) {
        for index in warnings.indices where isMeant(warnings[index]) {
            let old = warnings[index]
            guard !mistakes.contains(old) else { continue }
            warnings[index] = Finding(
                pointer: old.pointer, code: old.code, message: "\(old.message): \(consequence)",
                suggestion: old.suggestion, absentKeys: old.absentKeys)
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

    /// The known key that is nearest to an unknown one; nil if none is near, or if there were too many searches.
    ///
    /// - Parameter isSlip: only a key that differs by one character is near.
    public func suggestion(for key: String, among known: some Sequence<String>, isSlip: Bool = false) -> String? {
        guard suggestions > 0 else { return nil }
        suggestions -= 1
        return NearestKey.to(key, among: known, isSlip: isSlip)
    }

    /// Adds the findings of another reading, at other locations.
    public func take(_ other: Findings, at location: (JSONPointer) -> JSONPointer) {
        for finding in other.warnings {
            warn(finding.moved(to: location(finding.pointer)), isMistake: other.mistakes.contains(finding))
        }
        for finding in other.faults { fault(finding.moved(to: location(finding.pointer))) }
    }

    /// Adds the findings of a part that a stored document may have with faults. Its faults become mistakes.
    public func take(mistakes other: Findings) {
        for finding in other.warnings { warn(finding, isMistake: other.mistakes.contains(finding)) }
        for finding in other.faults { warn(finding, isMistake: true) }
    }

    /// Ends the reading of a document. A misspelled key is then reported once, and not also as a missing key.
    ///
    /// - Parameter isStored: whether the document was published before. Otherwise its mistakes become faults.
    public func settle(isStored: Bool = false) {
        for slip in faults + warnings where slip.code == "unknown_key" {
            if let suggestion = slip.suggestion { merge(slip, meaning: slip.pointer.sibling(suggestion)) }
        }
        if !isStored { refuseMistakes() }
    }

    /// Replaces the findings about the missing key by the slip, with the same severity.
    private func merge(_ slip: Finding, meaning meant: JSONPointer) {
        let isFault = faults.contains { $0.misses(meant) }
        let isMistake = warnings.contains { $0.misses(meant) && mistakes.contains($0) }
        faults.removeAll { $0.misses(meant) }
        warnings.removeAll { $0.misses(meant) }
        guard let index = warnings.firstIndex(of: slip) else { return }
        if isMistake { mistakes.insert(slip) }
        if isFault { faults.append(warnings.remove(at: index)) }
    }

    /// The findings about unknown keys that are near a known one.
    private var slips: [Finding] { (faults + warnings).filter { $0.suggestion != nil } }

    /// The document with misspelled keys replaced by the known ones, as its author may have meant it; nil if no key is
    /// misspelled.
    public func meaning(of document: JSONValue) -> JSONValue? {
        let meant = slips.reduce(document) { document, slip in
            document.renaming(slip.pointer.tokens[...], to: slip.suggestion ?? "")
        }
        guard meant != document else { return nil }
        return meant
    }

    /// Drops findings that follow only from misspelled keys, because the corrected document does not have them. If a
    /// refused document then has no faults left, the findings about misspelled keys become faults.
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

    /// Turns the mistakes into faults, for a document that is published now.
    func refuseMistakes() {
        guard !mistakes.isEmpty else { return }
        for finding in warnings where mistakes.contains(finding) { fault(finding) }
        warnings.removeAll { mistakes.contains($0) }
        mistakes = []
    }

    /// Turns every warning into a fault (`?strict=true`, docs/reference/http-api.md#faults-and-warnings).
    public func promoteWarnings() {
        faults += warnings
        warnings = []
    }
}
