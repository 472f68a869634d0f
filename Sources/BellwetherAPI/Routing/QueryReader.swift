internal import BellwetherBase
internal import BellwetherJSON
internal import HTTPWire

/// Reads what parameters say, and collects every fault of them.
struct QueryReader {
    /// The decoded parameters, in the order of the query.
    let items: [QueryItem]
    private let findings = Findings()

    /// For parameters of the path alone.
    init() { items = [] }

    /// Notes a fault for each parameter that stands more than once and is not `repeatable`, and for each raw `+` in an
    /// id. A `+` in a query is a space, but an id such as an e-mail address may have plus signs that a client does not
    /// encode: it would be another client here than in a JSON body.
    init(
        _ call: Call, plus: PlusSign = .space, repeatable: (String) -> Bool = { _ in false }
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

    /// Notes that the route has no such parameter.
    func refuse(_ name: String) { fault("unknown_parameter", at: name, "there is no parameter \"\(name)\" here") }

    /// An id; nil where the text is none.
    func identifier(_ item: QueryItem) -> String? {
        if item.value.isIdentifier { return item.value }
        fault("identifier", at: item.name, "\(item.name) has 1 to 128 printable characters")
        return nil
    }

    /// A whole number; the range's first where the text is none of it.
    func integer(_ name: String, _ text: String, in range: ClosedRange<Int64>) -> Int64 {
        if let number = Int64(text), range.contains(number) { return number }
        fault("range", at: name, "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)")
        return range.lowerBound
    }

    /// `true`, `1`, `false` or `0`; false where the text is none of them.
    func bool(_ item: QueryItem) -> Bool {
        switch item.value {
        case "true", "1": return true
        case "false", "0": return false
        default:
            fault("choice", at: item.name, "\(item.name) is true or false")
            return false
        }
    }

    /// Refuses the request where anything was noted.
    func finish() throws(APIError) {
        guard findings.faults.isEmpty else { throw .badRequest(findings.faults) }
    }

    private func note(_ finding: Finding) { findings.fault(finding.code, at: finding.pointer, finding.message) }
}

extension Finding {
    /// A parameter that may stand once stands twice.
    static func repeated(_ name: String) -> Finding {
        Finding(pointer: .parameter(name), code: "duplicate", message: "\(name) is given twice")
    }

    /// An id in a query has a `+`, which may be meant as a plus sign or as a space.
    static func ambiguousPlus(_ name: String) -> Finding {
        Finding(
            pointer: .parameter(name), code: "ambiguous_plus",
            message: "\(name) has a +: write %2B for a plus sign, %20 for a space")
    }
}
