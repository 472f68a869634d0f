public import BellwetherService

/// One number for `/metrics`, or one distribution.
public struct MetricSample: Sendable, Hashable {
    public enum Kind: String, Sendable { case counter, gauge, histogram }

    public let name: String
    public let help: String
    public let kind: Kind
    /// The labels. Their number is bounded: no label has a value that a client chooses.
    public let labels: [String: String]
    /// The value; for a histogram, the number of observations.
    public let value: Double
    let histogram: Histogram?

    public init(_ name: String, _ kind: Kind, _ help: String, labels: [String: String] = [:], value: Double) {
        self.name = name
        self.help = help
        self.kind = kind
        self.labels = labels
        self.value = value
        histogram = nil
    }

    public init(_ name: String, _ help: String, labels: [String: String] = [:], _ histogram: Histogram) {
        self.name = name
        self.help = help
        kind = .histogram
        self.labels = labels
        value = Double(histogram.count)
        self.histogram = histogram
    }
}
