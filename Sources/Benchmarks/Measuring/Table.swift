/// The one table that a run prints.
struct Table {
    private static let titles = [
        "", "CPU µs/req", "req/s (min…max)", "p99 ms", "rows/s", "other", "ratio (min…max)", "to", "hoped for",
    ]
    private let lines: [[String]]

    init(_ results: [RowResult]) {
        lines = [Self.titles] + results.map { result in Self.cells(of: result, among: results) }
    }

    var text: String {
        let widths = Self.titles.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { cells in
            zip(cells, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                // Names to the left, figures to the right.
                return column == 0 || column == 7 ? cell.0 + padding : padding + cell.0
            }.joined(separator: "  ").trimmingSuffix(" ")
        }.joined(separator: "\n")
    }

    private static func cells(of result: RowResult, among all: [RowResult]) -> [String] {
        let row = result.benchmark
        var other = result.values(\.quantity).median.map { "\($0.figure(places: 1)) \(row.unit ?? "")" } ?? ""
        var hoped = ""
        if let limit = row.limit, let value = result.values(\.quantity).median {
            hoped = limit.text + (limit.holds(for: value) ? " ✓" : " ✗")
        }
        if other.isEmpty, row.unit != nil { other = "–" }
        var ratio = ""
        if let comparison = row.comparison, let base = all.first(where: { $0.benchmark.name == comparison.base }) {
            let ratios = result.ratios(to: base, of: comparison.figure)
            ratio = spread(ratios, places: 2)
            if let limit = comparison.limit, let median = ratios.median {
                hoped = limit.text + (limit.holds(for: median) ? " ✓" : " ✗")
            }
        }
        return [
            row.name,
            result.values(\.cpu).median?.figure(places: 2) ?? "",
            spread(result.values(\.rate), places: 0),
            result.values(\.p99).median?.figure(places: 2) ?? "",
            result.values(\.rows).median?.figure(places: 0) ?? "",
            other,
            ratio,
            ratio.isEmpty ? "" : row.comparison?.base ?? "",
            hoped,
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
