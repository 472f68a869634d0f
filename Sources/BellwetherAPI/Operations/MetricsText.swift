/// One number for `/metrics`.
public struct MetricSample: Sendable, Hashable {
    public enum Kind: String, Sendable { case counter, gauge }

    public let name: String
    public let help: String
    public let kind: Kind
    public let labels: [String: String]
    public let value: Double

    public init(_ name: String, _ kind: Kind, _ help: String, labels: [String: String] = [:], value: Double) {
        self.name = name
        self.help = help
        self.kind = kind
        self.labels = labels
        self.value = value
    }
}

/// Prometheus' text format 0.0.4.
enum MetricsText {
    static func render(_ samples: [MetricSample]) -> String {
        var text = ""
        var previous = ""
        for sample in samples {
            if sample.name != previous {
                text += "# HELP \(sample.name) \(sample.help)\n# TYPE \(sample.name) \(sample.kind.rawValue)\n"
                previous = sample.name
            }
            let labels = sample.labels.sorted { $0.key < $1.key }
                .map { "\($0.key)=\"\(escaped($0.value))\"" }.joined(separator: ",")
            text += sample.name + (labels.isEmpty ? "" : "{\(labels)}") + " \(number(sample.value))\n"
        }
        return text
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && value.magnitude < 1e15 ? String(Int64(value)) : String(value)
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.append(character)
            }
        }
    }
}
