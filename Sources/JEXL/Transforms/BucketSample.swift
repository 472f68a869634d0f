package import BellwetherJSON

/// Tests whether a hash is in a range of buckets (docs/reference/expressions.md#bucket-samples).
public enum BucketSample {
    /// The hash at a fraction of all hashes: `floor(fraction × (2^48 − 1))` in double arithmetic.
    public static func key(_ fraction: Double) -> UInt64 {
        UInt64(min(max(fraction, 0), 1) * 281_474_976_710_655)
    }

    /// Whether a hash is in the range. The range begins at `start mod total` and wraps around at the end. Its upper
    /// bound is exclusive, even at the highest hash. With a total of 0 no hash is in the range; callers refuse such a
    /// total.
    public static func contains(hash48: UInt64, start: UInt32, count: UInt32, total: UInt32) -> Bool {
        guard total > 0 else { return false }
        let first = UInt64(start % total)
        let end = first + UInt64(count)
        let size = Double(total)
        let lower = key(Double(first) / size)
        if end <= UInt64(total) { return lower <= hash48 && hash48 < key(Double(end) / size) }
        return hash48 < key(Double(end % UInt64(total)) / size) || (lower <= hash48 && hash48 < key(1))
    }

    /// The index, from 0, of the one of `total` equal parts that contains the hash.
    package static func bucket(of hash48: UInt64, total: UInt32) -> UInt32 {
        let share = Double(hash48) / 281_474_976_710_655
        return UInt32(min(share * Double(total), Double(max(1, total) - 1)))
    }
}

extension BucketSample {
    /// Reads `start`, `count` and `total` of the transform. Further arguments are ignored, as upstream does.
    package static func buckets(
        _ arguments: [JSONValue]
    ) throws(TransformFailure) -> (start: UInt32, count: UInt32, total: UInt32) {
        guard arguments.count >= 3 else {
            throw TransformFailure(message: "bucketSample takes start, count and total")
        }
        let start = try number(arguments[0], "start")
        let count = try number(arguments[1], "count")
        let total = try number(arguments[2], "total")
        // The Nimbus SDK divides by zero here; Bellwether refuses it.
        guard total > 0 else { throw TransformFailure(message: "the total of bucketSample must not be 0") }
        return (start, count, total)
    }

    /// Truncates a number. A negative number, which only `0 - n` can produce, becomes 0, as Rust's `as u32` converts it
    /// in the SDK.
    private static func number(_ argument: JSONValue, _ name: String) throws(TransformFailure) -> UInt32 {
        guard let number = argument.double else {
            throw TransformFailure(message: "the \(name) of bucketSample must be a number, not \(argument.typeName)")
        }
        guard number <= 4_294_967_295 else {
            throw TransformFailure(message: "the \(name) of bucketSample is greater than 4294967295")
        }
        return UInt32(max(number, 0))
    }
}
