/// Runs all rows in each round, and every second round in reverse order, so that other load on the machine affects all
/// rows alike.
struct Rounds {
    private(set) var results: [RowResult]

    init(_ benchmarks: [any Benchmark]) {
        results = benchmarks.map { RowResult(benchmark: $0) }
    }

    func prepare() throws {
        for result in results {
            try Interruption.check()
            Progress.report("preparing \(result.benchmark.name)")
            try result.benchmark.prepare()
        }
    }

    mutating func run(_ round: Int) throws {
        let order = round.isMultiple(of: 2) ? Array(results.indices.reversed()) : Array(results.indices)
        for index in order {
            try Interruption.check()
            Progress.report("round \(round): \(results[index].benchmark.name)")
            results[index].samples[round] = try results[index].benchmark.sample(round: round)
        }
        Progress.report("")
    }
}

/// A row and its samples, by round.
struct RowResult {
    let benchmark: any Benchmark
    var samples: [Int: Sample] = [:]

    /// All values of one figure, ascending.
    func values(_ figure: KeyPath<Sample, Double?>) -> [Double] {
        samples.values.compactMap { $0[keyPath: figure] }.sorted()
    }

    /// The ratios to the base's figures of the same rounds, ascending.
    func ratios(to base: RowResult, of figure: KeyPath<Sample, Double?>) -> [Double] {
        samples.compactMap { round, sample in
            guard let value = sample[keyPath: figure], let other = base.samples[round]?[keyPath: figure], other > 0
            else { return nil }
            return value / other
        }.sorted()
    }
}

extension [Double] {
    /// The middle of values in ascending order.
    var median: Double? {
        guard !isEmpty else { return nil }
        return count.isMultiple(of: 2) ? (self[count / 2 - 1] + self[count / 2]) / 2 : self[count / 2]
    }
}
