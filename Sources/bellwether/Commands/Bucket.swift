internal import ArgumentParser
internal import BellwetherCore
internal import BellwetherJSON

/// `bellwether bucket --batch`: where ids fall (api.md 5; nimbus-messaging.md F).
struct Bucket: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say which bucket or branch an id falls into.",
        discussion: """
            With --batch, standard input holds one object a line: {"id", "namespace", "start", "count", "total"} is \
            answered {"hash48", "in"}; {"id", "slug", "ratios"} is answered {"hash48", "index"}.
            """)

    @Flag(help: "Answer NDJSON from standard input.")
    var batch = false

    func validate() throws {
        if !batch { throw ValidationError("Give --batch, and questions on standard input.") }
    }

    func run() { StandardOutput.answerLines(BucketRequest.answer) }
}

/// One question about an id.
enum BucketRequest {
    static func answer(line: [UInt8]) -> JSONValue {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: line)
        } catch {
            return ["error": .string(error.message)]
        }
        let findings = Findings()
        let reader = JSONReader(value, findings: findings)
        let answer = value.object?["slug"] == nil ? sample(reader) : branch(reader)
        if let fault = findings.faults.first { return ["error": .string("\(fault.pointer): \(fault.message)")] }
        return answer ?? ["error": "the line is neither a bucket's question nor a branch's"]
    }

    private static let numbers: ClosedRange<Int64> = 0...Int64(UInt32.max)

    private static func sample(_ reader: JSONReader) -> JSONValue? {
        let id = reader.required("id")?.string()
        let namespace = reader.required("namespace")?.string()
        let start = reader.required("start")?.integer(in: numbers)
        let count = reader.required("count")?.integer(in: numbers)
        // nimbus-messaging.md F: 10,000 where a recipe names no total.
        let total = reader.optional("total").map { $0.integer(in: numbers) } ?? 10_000
        guard let id, let namespace, let start, let count, let total else { return nil }
        do {
            let isSelected = try Bucketing.isSelected(
                id: id, namespace: namespace, start: UInt32(start), count: UInt32(count), total: UInt32(total))
            let hash = Bucketing.enrollmentHash(id: id, namespace: namespace)
            return ["hash48": .string(hex(hash)), "in": .bool(isSelected)]
        } catch {
            return ["error": .string("\(error)")]
        }
    }

    private static func branch(_ reader: JSONReader) -> JSONValue? {
        let id = reader.required("id")?.string()
        let slug = reader.required("slug")?.string()
        let ratios = reader.required("ratios")?.elements()?.map { $0.integer(in: numbers) }
        guard let id, let slug, let ratios else { return nil }
        do {
            let hash = Bucketing.branchHash(id: id, slug: slug)
            let index = try Bucketing.branchIndex(hash48: hash, ratios: ratios.compactMap { $0.map(UInt32.init) })
            return ["hash48": .string(hex(hash)), "index": .integer(Int64(index))]
        } catch {
            return ["error": .string("\(error)")]
        }
    }

    /// 48 bits: twelve digits.
    private static func hex(_ hash: UInt64) -> String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }
}
