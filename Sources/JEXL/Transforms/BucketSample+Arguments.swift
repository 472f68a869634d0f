package import BellwetherJSON

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
