internal import BellwetherBase
public import BellwetherJSON
import JEXL

/// Assigns clients to experiments and branches by a fraction of a hash, so that the same client always gets the same
/// branch without any stored state (docs/reference/experiments.md#bucketing).
public enum Bucketing {
    /// The number of buckets if a recipe does not set it.
    public static let defaultTotal: UInt32 = 10_000

    /// The hash of `[randomization id, namespace]`, which decides about enrollment.
    public static func enrollmentHash(id: String, namespace: String) -> UInt64 {
        var text: [UInt8] = []
        text.reserveCapacity(id.utf8.count + namespace.utf8.count + 16)
        text.append(UInt8(ascii: "["))
        JSONText.append(quoted: id, to: &text)
        text.append(UInt8(ascii: ","))
        JSONText.append(quoted: namespace, to: &text)
        text.append(UInt8(ascii: "]"))
        return Hash48.hash(text)
    }

    /// Whether a client is in the buckets `start` ..< `start + count` of `total`. The range can wrap around once.
    public static func isSelected(
        id: String, namespace: String, start: UInt32, count: UInt32, total: UInt32 = defaultTotal
    ) throws(BucketingError) -> Bool {
        try isSelected(hash48: enrollmentHash(id: id, namespace: namespace), start: start, count: count, total: total)
    }

    /// Whether a hash is in these buckets.
    public static func isSelected(
        hash48: UInt64, start: UInt32, count: UInt32, total: UInt32 = defaultTotal
    ) throws(BucketingError) -> Bool {
        // The SDK would divide by zero.
        guard total > 0 else { throw .noBuckets }
        return BucketSample.contains(hash48: hash48, start: start, count: count, total: total)
    }

    /// The hash that decides about the branch. `slug` is the recipe's slug.
    public static func branchHash(id: String, slug: Identifier) -> UInt64 {
        var text: [UInt8] = []
        JSONText.append(quoted: "experimentmanager-\(id)-\(slug)-branch", to: &text)
        return Hash48.hash(text)
    }

    /// The index of the branch whose share of the sum of all ratios contains the hash. A share includes its upper
    /// bound, while a range of buckets does not.
    public static func branchIndex(hash48: UInt64, ratios: [Int64]) throws(BucketingError) -> Int {
        guard !ratios.isEmpty else { throw .noBranches }
        var sum: Int64 = 0
        for ratio in ratios {
            let (next, overflow) = sum.addingReportingOverflow(ratio)
            guard ratio >= 0, !overflow else { throw .ratioOutOfRange }
            sum = next
        }
        guard sum > 0 else { throw .ratiosSumToZero }
        var end: Int64 = 0
        for (index, ratio) in ratios.enumerated() {
            end += ratio
            if hash48 <= BucketSample.key(Double(end) / Double(sum)) { return index }
        }
        return ratios.count - 1
    }
}

/// The reason why no branch or bucket could be determined.
public enum BucketingError: Error, Sendable, Hashable, CustomStringConvertible {
    case noBuckets
    case noBranches
    case ratiosSumToZero
    case ratioOutOfRange

    public var description: String {
        switch self {
        case .noBuckets: "the total number of buckets is 0"
        case .noBranches: "there is no branch to choose from"
        case .ratiosSumToZero: "the ratios of the branches sum to 0"
        case .ratioOutOfRange: "a ratio is negative, or the ratios sum to too much"
        }
    }
}
