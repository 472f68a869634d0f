import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// The documentation, the dashboard and the alarms use only existing metrics and labels.
@Suite struct MonitoringFilesTests {
    private let metrics: PrometheusText

    init() throws { metrics = try BusyDaemon.shared.get().metrics }

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: Repository.path + "/" + path, encoding: .utf8)
    }

    /// The rows of docs/metrics.md: "| `name` | type | labels | …".
    private func documented() throws -> [String: (kind: String, labels: Set<String>)] {
        var rows: [String: (kind: String, labels: Set<String>)] = [:]
        for line in try text("docs/metrics.md").split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let name = cells[0].filter { $0 != "`" }
            #expect(cells.count == 5 && !cells[3].isEmpty && !cells[4].isEmpty, "\(name): meaning and alarm")
            #expect(rows[name] == nil, "\(name) stands twice")
            let labels = cells[2].split(separator: ",").map { $0.filter { $0 != "`" && $0 != " " } }
            rows[name] = (cells[1], Set(labels.filter { $0 != "–" }))
        }
        return rows
    }

    @Test func `The documentation has every metric, its type and its labels, and no other`() throws {
        let rows = try documented()
        #expect(Set(rows.keys) == Set(metrics.families.keys))
        for (name, family) in metrics.families {
            #expect(rows[name]?.kind == family.kind, "\(name)")
            #expect(rows[name]?.labels == family.labelNames, "\(name)")
        }
    }

    /// The page lists every value of these labels.
    @Test func `Values of labels that are listed are the real ones`() throws {
        let documentation = try text("docs/metrics.md")
        for (name, label) in [
            ("bellwether_polls_total", "outcome"), ("bellwether_events_total", "outcome"),
            ("bellwether_explained_messages_total", "verdict"), ("bellwether_store_queue", "queue"),
            ("bellwether_rate_limited_total", "by"), ("bellwether_recipes", "state"),
        ] {
            for value in metrics.families[name]?.samples.compactMap({ $0.labels[label] }) ?? [] {
                #expect(documentation.contains("`\(value)`"), "\(name): \(value)")
            }
        }
    }

    /// Checks the names of metrics in PromQL, and the labels in the braces behind them.
    private func expect(known expression: String) {
        let names = expression.matches(of: /\b(?:bellwether|process)_[a-z_]+/).map { String($0.output) }
        #expect(!names.isEmpty || expression.contains("up{") || expression.contains("label_values"), "\(expression)")
        for name in names {
            #expect(metrics.seriesNames.contains(name), "\(name) in \(expression)")
        }
        for match in expression.matches(of: /\b((?:bellwether|process)_[a-z_]+)\{([^}]*)\}/) {
            let samples = metrics.families.values.flatMap(\.samples).filter { $0.name == match.output.1 }
            for matcher in match.output.2.matches(of: #/([a-z_]+)\s*(?:=~|!~|!=|=)\s*"/#) {
                let label = String(matcher.output.1)
                // Prometheus adds these labels itself.
                if ["job", "instance"].contains(label) { continue }
                #expect(samples.contains { $0.labels[label] != nil }, "\(label) in \(expression)")
            }
        }
    }

    @Test func `The alarms name metrics and labels that there are`() throws {
        let lines = try text("deploy/alarms.yaml").split(separator: "\n").filter { !$0.contains(##/^\s*#/##) }
        let expressions = lines.filter { $0.contains(#/^\s*expr: /#) }
        #expect(expressions.count >= 10)
        #expect(lines.count { $0.contains("- alert: ") } == expressions.count)
        #expect(lines.count { $0.contains("summary: ") } == expressions.count)
        #expect(lines.count { $0.contains("severity: ") } == expressions.count)
        for expression in expressions { expect(known: String(expression)) }
        // The page of metrics explains every alarm, and the guide says what to do.
        for page in ["docs/metrics.md", "docs/operators-guide.md"] {
            let documentation = try text(page)
            for line in lines {
                guard let name = line.firstMatch(of: /- alert: (\w+)/)?.output.1 else { continue }
                #expect(documentation.contains("`\(name)`"), "\(name) in \(page)")
            }
        }
    }

    @Test func `The dashboard names metrics and labels that there are`() throws {
        let dashboard = try JSONValue.file(Repository.path + "/deploy/grafana.json")
        let panels = (dashboard["panels"].array ?? []).filter { $0["type"] != "row" }
        #expect(panels.count >= 12)
        #expect(Set(panels.map { $0["id"] }).count == panels.count)
        for panel in panels {
            #expect(panel["title"].string?.isEmpty == false && panel["description"].string?.isEmpty == false)
            #expect(panel["datasource"]["uid"] == "${source}")
            let targets = panel["targets"].array ?? []
            #expect(!targets.isEmpty)
            for target in targets { expect(known: target["expr"].string ?? "") }
        }
    }
}
