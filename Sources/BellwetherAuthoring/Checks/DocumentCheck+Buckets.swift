internal import BellwetherCore
internal import BellwetherJSON
internal import JEXL

/// Experiments that unintentionally share clients: a namespace exists to separate them
/// (docs/reference/experiments.md#bucketing).
extension DocumentCheck {
    func checkBuckets(of experiment: Experiment, _ stages: RolloutStages?, at location: JSONPointer) {
        let own = experiment.bucketConfig
        checkRange(own, at: location)
        let taken = own.growing(by: stages)
        for member in context.live?.experiments.members ?? [] where member.state == .live {
            let other = member.experiment.bucketConfig
            guard member.slug != experiment.slug, other.isComparable(with: own),
                taken.overlaps(other)
            else { continue }
            findings.warn(
                "bucket_overlap", at: location,
                "of namespace \"\(own.namespace)\" \"\(experiment.slug)\" takes \(taken.phrase), "
                    + "and \"\(member.slug)\" \(other.phrase)")
        }
    }
}

extension DocumentCheck {
    /// A range of buckets that is empty, complete, or beyond the last bucket.
    private func checkRange(_ buckets: Experiment.BucketConfig, at location: JSONPointer) {
        let (count, total) = (UInt64(buckets.count), UInt64(buckets.total))
        func warn(_ code: String, _ key: String, _ message: String) {
            findings.warn(code, at: location.appending(key), message)
        }
        if count == 0 { return warn("limit_zero", "count", "no client is in 0 buckets") }
        if count > total {
            return warn("sample_all", "count", "\(count) of \(total) buckets are all of them: every client is in")
        }
        if UInt64(buckets.start) >= total {
            return warn("bucket_range", "start", "the last bucket is \(total - 1): the count begins anew after it")
        }
        guard UInt64(buckets.start) + count > total else { return }
        warn(
            "bucket_range", "count",
            "only \(total - UInt64(buckets.start)) buckets are left from \(buckets.start): the others are the first ones"
        )
    }
}

extension Experiment.BucketConfig {
    fileprivate func isComparable(with other: Self) -> Bool {
        randomizationUnit == other.randomizationUnit && namespace == other.namespace
    }

    /// Whether both ranges contain a common hash.
    func overlaps(_ other: Self) -> Bool {
        ranges.contains { own in other.ranges.contains { own.overlaps($0) } }
    }

    /// The selected hashes, the same as in `BucketSample.contains`.
    private var ranges: [Range<UInt64>] {
        let first = UInt64(start % total)
        let end = first + UInt64(count)
        func key(_ bucket: UInt64) -> UInt64 { BucketSample.key(Double(bucket) / Double(total)) }
        guard end > UInt64(total) else { return [key(first)..<key(end)] }
        return [0..<key(end % UInt64(total)), key(first)..<key(UInt64(total))]
    }

    fileprivate var phrase: String {
        "buckets \(start) to \(UInt64(start) + UInt64(max(count, 1)) - 1) of \(total)"
    }
}
