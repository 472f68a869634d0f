internal import BellwetherService

/// Prometheus' text format 0.0.4.
enum MetricsText {
    /// Renders samples in any order. Samples of one name are together, under one help text and one type.
    static func render(_ samples: [MetricSample]) -> String {
        var families: [String: [MetricSample]] = [:]
        var names: [String] = []
        for sample in samples {
            if families[sample.name] == nil { names.append(sample.name) }
            families[sample.name, default: []].append(sample)
        }
        var text = ""
        for name in names {
            guard let family = families[name], let first = family.first else { continue }
            text += "# HELP \(name) \(escaped(help: first.help))\n# TYPE \(name) \(first.kind.rawValue)\n"
            for sample in family { add(sample, to: &text) }
        }
        return text
    }

    private static func add(_ sample: MetricSample, to text: inout String) {
        let labels = sample.labels.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        guard let histogram = sample.histogram else {
            return addLine(sample.name, labels, sample.value, to: &text)
        }
        var count = 0
        for (index, own) in histogram.counts.enumerated() {
            count += own
            let bound = index < histogram.bounds.count ? number(histogram.bounds[index]) : "+Inf"
            addLine(sample.name + "_bucket", labels + [("le", bound)], Double(count), to: &text)
        }
        addLine(sample.name + "_sum", labels, histogram.sum, to: &text)
        addLine(sample.name + "_count", labels, Double(count), to: &text)
    }

    private static func addLine(
        _ name: String, _ labels: [(String, String)], _ value: Double, to text: inout String
    ) {
        let list = labels.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",")
        text += name + (list.isEmpty ? "" : "{\(list)}") + " \(number(value))\n"
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return value == value.rounded() && value.magnitude < 1e15 ? String(Int64(value)) : String(value)
    }

    private static func escaped(help: String) -> String {
        help.reduce(into: "") { $0 += $1 == "\\" ? "\\\\" : $1 == "\n" ? "\\n" : String($1) }
    }

    /// Escapes by scalars: CR LF is one character, but it has a line feed.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
