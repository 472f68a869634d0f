public import BellwetherBase
public import BellwetherCore
internal import BellwetherJSON
internal import JEXL

/// How many clients of a sample are in a segment (docs/reference/audiences.md#how-many).
public struct SegmentForecast: Sendable {
    /// The share of clients that are in the segment; nil if the sample is too small.
    public let size: ForecastShare?
    /// The number of clients in the sample; nil if it is too small.
    public let sampled: Int?
    /// The parts of a conjunction, each with the share that is left up to it; nil if it is withheld.
    public let closes: [(name: String, high: Double?)]
    /// The attributes that the expression reads and many clients did not send, with their share; nil if it is withheld.
    public let missing: [(name: String, share: Double?)]

    /// An attribute that fewer clients did not send is no finding.
    private static let leastMissing = 0.01

    /// - Parameter compiledApp: the app whose segments the expression may read.
    public init?(
        _ segment: Segment, in compiledApp: CompiledApp, over sample: [ForecastSubject], now: Timestamp, minimum: Int
    ) {
        let scope = compiledApp.catalog.scope
        guard let whole = try? CompiledExpression(segment.expression, in: scope) else { return nil }
        let parts = whole.conjuncts
        let expressions = parts.map { try? CompiledExpression($0, in: scope) }
        let attributes = whole.identifiers.filter {
            compiledApp.manifest.attributes[$0] != nil && !ForecastEnvironment.identifiers.contains($0)
        }
        var tally = ForecastTally()
        var left = [ForecastTally](repeating: ForecastTally(), count: parts.count)
        var unsent = [Int](repeating: 0, count: attributes.count)
        for subject in sample where !CheckTime.isOver() {
            let environment = ForecastEnvironment(subject, compiledApp.catalog.derivedEvents, now: now)
            tally.add(ForecastTruth(whole.truth(in: environment)), count: 1)
            var truth = ForecastTruth.holds
            for (index, expression) in expressions.enumerated() where truth != .doesNotHold {
                truth = truth && (expression.map { ForecastTruth($0.truth(in: environment)) } ?? .doesNotHold)
                left[index].add(truth, count: 1)
            }
            for (index, name) in attributes.enumerated() where subject.context.value(of: name) ?? .null == .null {
                unsent[index] += 1
            }
        }
        func share(_ tally: ForecastTally) -> ForecastShare? {
            ForecastShare([(tally, 1...1)], of: sample.count, minimum: minimum)
        }
        let size = share(tally)
        let isKnown = size != nil
        let least = Self.leastMissing * Double(sample.count)
        self.size = size
        sampled = isKnown ? sample.count : nil
        closes = isKnown && parts.count > 1 ? zip(parts, left).map { ($0, share($1)?.high) } : []
        missing = zip(attributes, unsent).filter { isKnown && $1 > 0 && Double($1) >= least }
            .map { ($0, share(ForecastTally(low: $1, high: $1))?.high) }
    }
}

extension ForecastTruth {
    init(_ truth: PartialTruth) {
        switch truth {
        case .holds: self = .holds
        case .doesNotHold, .failed, .neverHolds: self = .doesNotHold
        case .unknown: self = .unknown
        }
    }
}
