internal import BellwetherBase
internal import BellwetherJSON
internal import HTTPWire

/// Reads the values of parameters, and collects all their faults.
struct QueryReader {
    /// The decoded parameters, in the order of the query.
    let items: [QueryItem]
    private let findings = Findings()

    /// Makes a reader for parameters of the path alone.
    init() { items = [] }

    /// Reports a fault for each repeated parameter that is not `repeatable`, and for each raw `+` in an id. A `+` in a
    /// query is a space. But a client may not encode a plus sign in an id, such as an e-mail address. Such an id would
    /// name another client here than in a JSON body.
    init(
        _ call: some RoutedRequest, plus: PlusSign = .space, repeatable: (String) -> Bool = { _ in false }
    ) throws(APIError) {
        items = try call.query(plus: plus)
        var counts: [String: Int] = [:]
        for item in items {
            counts[item.name, default: 0] += 1
            if counts[item.name] == 2, !repeatable(item.name) { note(.repeated(item.name)) }
            if item.hasRawPlus, Self.ids.contains(item.name) { note(.ambiguousPlus(item.name)) }
        }
    }

    private static let ids: Set<String> = ["client_id", "user_id"]

    func fault(_ code: String, at name: String, _ message: String) {
        findings.fault(code, at: .parameter(name), message)
    }

    /// Reports that the route has no such parameter.
    func refuse(_ name: String) { fault("unknown_parameter", at: name, "there is no parameter \"\(name)\" here") }

    /// Reads an id; nil if the text is not an id.
    func identifier(_ item: QueryItem) -> Identifier? {
        if item.value.isIdentifier { return Identifier(item.value) }
        fault("identifier", at: item.name, "\(item.name) has 1 to 128 printable characters")
        return nil
    }

    /// Reads a language tag; nil if the text is not one.
    func languageTag(_ item: QueryItem) -> LanguageTag? {
        let tag = LanguageTag(item.value)
        if tag == nil { fault("locale", at: item.name, LanguageTag.refusal(of: item.value)) }
        return tag
    }

    /// Reads a whole number; the lower bound if the text is not a number in the range.
    func integer(_ name: String, _ text: String, in range: ClosedRange<Int64>) -> Int64 {
        if let number = Int64(text), range.contains(number) { return number }
        fault("range", at: name, "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)")
        return range.lowerBound
    }

    /// Reads `true`, `1`, `false` or `0`; false for any other text.
    func bool(_ item: QueryItem) -> Bool {
        switch item.value {
        case "true", "1": return true
        case "false", "0": return false
        default:
            fault("choice", at: item.name, "\(item.name) is true or false")
            return false
        }
    }

    /// Refuses the request if a fault was reported.
    func finish() throws(APIError) {
        guard findings.faults.isEmpty else { throw .badRequest(findings.faults) }
    }

    private func note(_ finding: Finding) { findings.fault(finding.code, at: finding.pointer, finding.message) }
}

extension Finding {
    /// A parameter is repeated, but may only occur once.
    static func repeated(_ name: String) -> Finding {
        Finding(pointer: .parameter(name), code: "duplicate", message: "\(name) is given twice")
    }

    /// An id in a query has a `+`, which may mean a plus sign or a space.
    static func ambiguousPlus(_ name: String) -> Finding {
        Finding(
            pointer: .parameter(name), code: "ambiguous_plus",
            message: "\(name) has a +: write %2B for a plus sign, %20 for a space")
    }
}
