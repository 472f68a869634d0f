internal import BellwetherJSON

/// Reads what parameters say, and notes all that is wrong with them (api.md 1).
struct QueryReader {
    private let findings = Findings()

    func fault(_ code: String, at name: String, _ message: String) {
        findings.fault(code, at: .parameter(name), message)
    }

    /// Notes that the route has no such parameter.
    func refuse(_ name: String) { fault("unknown_parameter", at: name, "there is no parameter \"\(name)\" here") }

    /// A whole number; the range's first where the text is none of it.
    func integer(_ name: String, _ text: String, in range: ClosedRange<Int64>) -> Int64 {
        if let number = Int64(text), range.contains(number) { return number }
        fault("range", at: name, "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)")
        return range.lowerBound
    }

    /// Refuses the request where anything was noted.
    func finish() throws(APIError) {
        guard findings.faults.isEmpty else { throw .badRequest(findings.faults) }
    }
}
