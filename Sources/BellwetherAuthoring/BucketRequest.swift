internal import BellwetherBase
public import BellwetherCore
public import BellwetherJSON

/// A request about sampling. `bellwether bucket --batch` reads one on each line
/// (docs/reference/http-api.md#the-command-bucket).
public enum BucketRequest: Sendable, Hashable {
    /// `{"id", "namespace", "start", "count", "total"}`: whether the client is enrolled. `total` defaults to 10,000.
    case enrollment(id: String, namespace: String, start: UInt32, count: UInt32, total: UInt32)
    /// `{"id", "slug", "ratios"}`: the branch of the client.
    case branch(id: String, slug: String, ratios: [Int64])
    /// `{"murmur", "weights"}`: the variant that AppDNA selects for the text. The weights are fractions of 1.
    case murmur(text: String, weights: [Double])

    private static let bounds: ClosedRange<Int64> = 0...Int64(UInt32.max)

    /// Nil, with findings, if the line is none of these forms. A line with a `slug` or `ratios` requests a branch.
    public init?(reading line: JSONReader) {
        if let text = line.optional("murmur") {
            let items = line.required("weights")?.elements() ?? []
            let weights = items.compactMap { $0.number() }
            if items.isEmpty { line.finding("length", "expected at least one weight") }
            guard let text = text.string(), !items.isEmpty, weights.count == items.count else { return nil }
            self = .murmur(text: text, weights: weights)
            return
        }
        let asksForBranch = line.optional("slug") != nil || line.optional("ratios") != nil
        guard line.object() != nil, let id = line.required("id")?.string() else { return nil }
        if asksForBranch {
            guard let slug = line.required("slug")?.string(), let items = line.required("ratios")?.elements() else {
                return nil
            }
            let ratios = items.compactMap { $0.integer(in: Self.bounds) }
            guard ratios.count == items.count else { return nil }
            self = .branch(id: id, slug: slug, ratios: ratios)
        } else {
            func number(_ reader: JSONReader?) -> UInt32? { reader?.integer(in: Self.bounds).map(UInt32.init) }
            let namespace = line.required("namespace")?.string()
            let start = number(line.required("start"))
            let count = number(line.required("count"))
            let total = line.optional("total").map { number($0) } ?? Bucketing.defaultTotal
            guard let namespace, let start, let count, let total else { return nil }
            self = .enrollment(id: id, namespace: namespace, start: start, count: count, total: total)
        }
    }

    private static let buckets: UInt32 = 10_000

    /// The first variant whose cumulative share exceeds the bucket, else the last.
    private static func variant(of bucket: UInt32, _ weights: [Double]) -> Int {
        var total = 0.0
        for (index, weight) in weights.enumerated() {
            total += weight * Double(buckets)
            if Double(bucket) < total { return index }
        }
        return weights.count - 1
    }

    /// `{"hash48", "in"}`, `{"hash48", "index"}` or `{"bucket", "index"}`.
    public func response() throws(BucketingError) -> JSONValue {
        switch self {
        case .enrollment(let id, let namespace, let start, let count, let total):
            let hash = Bucketing.enrollmentHash(id: id, namespace: namespace)
            let isIn = try Bucketing.isSelected(hash48: hash, start: start, count: count, total: total)
            return ["hash48": .string(Hash48.hexadecimal(hash)), "in": .bool(isIn)]
        case .branch(let id, let slug, let ratios):
            let hash = Bucketing.branchHash(id: id, slug: Identifier(slug))
            let index = try Bucketing.branchIndex(hash48: hash, ratios: ratios)
            return ["hash48": .string(Hash48.hexadecimal(hash)), "index": .integer(Int64(index))]
        case .murmur(let text, let weights):
            let bucket = Murmur3.hash(Array(text.utf8)) % Self.buckets
            return [
                "bucket": .integer(Int64(bucket)), "index": .integer(Int64(Self.variant(of: bucket, weights))),
            ]
        }
    }

    /// The output line for an input line: the response, or `{"error": {"kind": "input", "message"}}`. `bellwether jexl
    /// --batch` has the same form of errors.
    public static func response(to line: JSONValue) -> JSONValue {
        let findings = Findings()
        guard let request = BucketRequest(reading: JSONReader(line, findings: findings)) else {
            let messages = findings.faults.map { "\($0.pointer): \($0.message)" }
            return error(messages.joined(separator: "; "))
        }
        do {
            return try request.response()
        } catch {
            return Self.error(error.description)
        }
    }

    private static func error(_ message: String) -> JSONValue {
        ["error": ["kind": "input", "message": .string(message)]]
    }
}
