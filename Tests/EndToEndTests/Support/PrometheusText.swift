import TestSupport

/// The text of `/metrics`, parsed more strictly than by Prometheus. Every family has one help text and one type, before
/// its series, and is in one place. Its series differ and have the same labels. Counters end in `_total`, and
/// histograms add up.
struct PrometheusText {
    struct Sample {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    struct Family {
        let kind: String
        var samples: [Sample] = []

        /// The names of the labels, without the label of histograms.
        var labelNames: Set<String> { Set(samples.first?.labels.keys.filter { $0 != "le" } ?? []) }
    }

    private(set) var families: [String: Family] = [:]
    /// The values, by the text of the series.
    private(set) var values: [String: Double] = [:]

    init(_ text: String) throws {
        guard text.hasSuffix("\n"), !text.contains("\r") else { throw Failure("the last line has no plain end") }
        var help: String?
        var current: String?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if line.hasPrefix("#") {
                let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
                guard words.count == 4, Self.isName(words[2]), !words[3].isEmpty else { throw Failure("\(line)") }
                switch words[1] {
                case "HELP" where help == nil && families[words[2]] == nil:
                    help = words[2]
                    current = nil
                case "TYPE" where help == words[2] && ["counter", "gauge", "histogram"].contains(words[3]):
                    families[words[2]] = Family(kind: words[3])
                    current = words[2]
                    help = nil
                default: throw Failure("a comment out of place: \(line)")
                }
                continue
            }
            guard let family = current else { throw Failure("a sample without a family: \(line)") }
            try add(line, to: family)
        }
        guard help == nil else { throw Failure("a family without a type: \(help ?? "")") }
        for (name, family) in families { try Self.check(name, family) }
    }

    /// The sum over the series of a name with these labels, whatever other labels they have.
    func sum(_ name: String, _ labels: [String: String] = [:]) -> Double {
        let samples = families.values.flatMap(\.samples).filter { sample in
            sample.name == name && labels.allSatisfy { sample.labels[$0.key] == $0.value }
        }
        return samples.reduce(0) { $0 + $1.value }
    }

    /// The names that an expression may use: families, and the parts of histograms.
    var seriesNames: Set<String> { Set(families.values.flatMap(\.samples).map(\.name)) }

    private mutating func add(_ line: Substring, to family: String) throws {
        let name = line.prefix { $0 != "{" && $0 != " " }
        var rest = line.dropFirst(name.count)
        let labels = rest.first == "{" ? try Self.labels(&rest) : [:]
        guard rest.first == " ", let value = Self.value(rest.dropFirst()) else { throw Failure("no value: \(line)") }
        let isPart = ["_bucket", "_sum", "_count"].contains { family + $0 == name }
        guard families[family]?.kind == "histogram" ? isPart : name == family else {
            throw Failure("outside its family: \(line)")
        }
        let sorted = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value)\"" }.joined(separator: ",")
        let series = sorted.isEmpty ? String(name) : "\(name){\(sorted)}"
        guard values.updateValue(value, forKey: series) == nil else { throw Failure("twice: \(series)") }
        families[family]?.samples.append(Sample(name: String(name), labels: labels, value: value))
    }

    private static func isName(_ text: some StringProtocol) -> Bool {
        text.first?.isLetter == true
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }

    /// Parses `{a="b",c="d"}`, with the three escapes of the format.
    private static func labels(_ rest: inout Substring) throws -> [String: String] {
        var labels: [String: String] = [:]
        repeat {
            rest.removeFirst()
            let name = rest.prefix { $0 != "=" }
            rest = rest.dropFirst(name.count)
            guard isName(name), rest.hasPrefix("=\"") else { throw Failure("no label: \(rest)") }
            rest = rest.dropFirst(2)
            var value = ""
            while let character = rest.popFirst(), character != "\"" {
                guard character == "\\" else {
                    value.append(character)
                    continue
                }
                switch rest.popFirst() {
                case "\\": value.append("\\")
                case "\"": value.append("\"")
                case "n": value.append("\n")
                default: throw Failure("no escape: \(rest)")
                }
            }
            guard labels.updateValue(value, forKey: String(name)) == nil else { throw Failure("label \(name) twice") }
        } while rest.first == ","
        guard rest.popFirst() == "}" else { throw Failure("the labels have no end: \(rest)") }
        return labels
    }

    private static func value(_ text: Substring) -> Double? {
        switch text {
        case "+Inf": return .infinity
        case "-Inf": return -.infinity
        case "NaN": return .nan
        default: break
        }
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x65].contains($0) }
        return isNumber ? Double(text) : nil
    }

    private static func check(_ name: String, _ family: Family) throws {
        guard !family.samples.isEmpty else { throw Failure("\(name) has no samples") }
        let sets = Set(family.samples.map { Set($0.labels.keys.filter { $0 != "le" }) })
        guard sets.count == 1 else { throw Failure("\(name) has different labels: \(sets)") }
        switch family.kind {
        case "counter":
            let isCount = family.samples.allSatisfy { $0.value >= 0 && $0.value.isFinite && $0.labels["le"] == nil }
            guard name.hasSuffix("_total"), isCount else { throw Failure("\(name) is no counter") }
        case "gauge":
            let isPlain = !["_total", "_bucket", "_sum", "_count"].contains { name.hasSuffix($0) }
            guard isPlain, family.samples.allSatisfy({ $0.labels["le"] == nil }) else {
                throw Failure("\(name) is no gauge")
            }
        default: try checkHistogram(name, family)
        }
    }

    private static func checkHistogram(_ name: String, _ family: Family) throws {
        let groups = Dictionary(grouping: family.samples) { sample in sample.labels.filter { $0.key != "le" } }
        for (labels, samples) in groups {
            let buckets = samples.filter { $0.name == name + "_bucket" }
            let bounds = buckets.compactMap { $0.labels["le"].flatMap { value($0[...]) } }
            let counts = buckets.map(\.value)
            let ascends = zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }
            let grows = zip(counts, counts.dropFirst()).allSatisfy { $0 <= $1 }
            guard bounds.count == buckets.count, bounds.last == .infinity, ascends, grows else {
                throw Failure("\(name)\(labels): buckets \(bounds) \(counts)")
            }
            let totals = samples.filter { $0.name == name + "_count" }
            let sums = samples.filter { $0.name == name + "_sum" }
            let isWhole = totals.count == 1 && sums.count == 1 && totals[0].value == counts.last
            let isBare = (totals + sums).allSatisfy { $0.labels["le"] == nil }
            guard isWhole, isBare, sums[0].value >= 0 else { throw Failure("\(name)\(labels) does not add up") }
        }
    }
}
