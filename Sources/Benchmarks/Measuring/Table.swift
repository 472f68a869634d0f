import Foundation

/// The table that a run prints.
struct Table {
    private static let titles = [
        "", "CPU µs/req", "req/s (min…max)", "p99 ms", "rows/s", "other", "ratio (min…max)", "to", "must (aim)",
    ]
    private let lines: [[String]]

    init(_ results: [RowResult]) {
        lines =
            [Self.titles]
            + results.flatMap { result in
                let ratios = result.benchmark.comparisons.compactMap {
                    Self.ratio(of: result, $0, among: results)
                }
                return [Self.cells(of: result, ratios.first)] + ratios.dropFirst().map { Self.empty + $0 }
            }
    }

    var text: String {
        let widths = Self.titles.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { cells in
            zip(cells, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                // Names are aligned to the left, figures to the right.
                return column == 0 || column == 7 ? cell.0 + padding : padding + cell.0
            }.joined(separator: "  ").trimmingSuffix(" ")
        }.joined(separator: "\n")
    }

    /// Empty cells for all columns before the ratio.
    private static let empty = Array(repeating: "", count: titles.count - 3)

    /// The cells of a row. The last three columns hold the first ratio, or else the row's own limit.
    private static func cells(of result: RowResult, _ ratio: [String]?) -> [String] {
        let row = result.benchmark
        var other = result.values(\.quantity).median.map { "\($0.figure(places: 1)) \(row.unit ?? "")" } ?? ""
        if other.isEmpty, row.unit != nil { other = "–" }
        var hoped = ""
        if let limit = row.limit, let value = result.values(\.quantity).median {
            hoped = limit.verdict(on: value)
        }
        return [
            row.name,
            result.values(\.cpu).median?.figure(places: 2) ?? "",
            spread(result.values(\.rate), places: 0),
            result.values(\.p99).median?.figure(places: 2) ?? "",
            result.values(\.rows).median?.figure(places: 0) ?? "",
            other,
        ] + (ratio ?? ["", "", hoped])
    }

    /// The ratio, its base and its limit; nil without a base or without a round that has both.
    private static func ratio(of result: RowResult, _ comparison: Comparison, among all: [RowResult])
        -> [String]?
    {
        guard let base = all.first(where: { $0.benchmark.name == comparison.base }) else { return nil }
        let ratios = result.ratios(to: base, of: comparison.figure)
        guard let median = ratios.median else { return nil }
        return [
            spread(ratios, places: 2), comparison.base, comparison.limit?.verdict(on: median) ?? "",
        ]
    }

    private static func spread(_ values: [Double], places: Int) -> String {
        guard let median = values.median, let least = values.first, let most = values.last else { return "" }
        return "\(median.figure(places: places)) (\(least.figure(places: places))…\(most.figure(places: places)))"
    }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        var trimmed = self[...]
        while trimmed.last == character { trimmed.removeLast() }
        return String(trimmed)
    }
}

extension Double {
    /// The number with this many decimals, the same in every locale.
    func figure(places: Int) -> String {
        String(format: "%.\(places)f", self)
    }

    /// The number with as few decimals as are exact, at most two.
    var shortFigure: String {
        let places = (0...2).first { (self * pow(10, Double($0))).rounded() == self * pow(10, Double($0)) } ?? 2
        return figure(places: places)
    }
}
