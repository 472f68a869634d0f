import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// `bellwether sizing`.
@Suite struct SizingCommandTests {
    @Test func `A table has a row for each number of clients`() throws {
        let result = try Command.bellwether("sizing")
        #expect(result.status == 0)
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0].hasPrefix("clients") && lines[1].hasPrefix("10,000 ") && lines[4].hasPrefix("10,000,000 "))
        #expect(lines[5].isEmpty)
    }

    @Test func `A need follows from the figures`() throws {
        let result = try Command.bellwether(
            "sizing", "--clients", "2000000", "--open", "10%", "--poll-seconds", "100", "--events", "3", "--days", "10",
            "--json")
        let need = try JSONValue(parsing: Array(result.output.utf8))
        #expect(need["polls_per_second"].double == 2000 && need["connections"] == 120_000)
        #expect(need["processors"].double == 0.082)
        // The states of 1,000,000 clients are kept in memory.
        #expect(need["memory_bytes"] == .integer(42_500_000 + 230_000_000 + 119_000 * 4096))
        #expect(need["disk_bytes_per_day"] == .integer(2_000_000 * 3 * 222))
        #expect(need["disk_bytes"] == .integer(2_000_000 * (113 + 3 * 222 * 10)))
    }

    /// Each line below the table has a figure and its source.
    @Test func `The page of performance has each figure`() throws {
        let page = try String(contentsOfFile: Repository.path + "/docs/performance.md", encoding: .utf8)
        let lines = try Command.bellwether("sizing").output.split(separator: "\n")
        let figures = lines.compactMap { $0.wholeMatch(of: #/([0-9.,]+ [^:]+): (.+) \(docs/performance\.md: (.+)\)/#) }
        #expect(figures.count == 7)
        for figure in figures {
            let rows = page.split(separator: "\n").filter { $0.contains(figure.output.1) }
            let source = String(figure.output.3)
            #expect(rows.contains { $0.contains(source) || source == "Sizes" }, "\(figure.output.0)")
        }
    }

    @Test(arguments: [
        ["--clients", "0"], ["--open", "2"], ["--days", "0"], ["--events", "-1"], ["--poll-seconds", "x"],
    ])
    func `Bad arguments are wrong usage`(_ arguments: [String]) throws {
        #expect(try Command.run([BellwetherProgram.path, "sizing"] + arguments).status == 64)
    }
}
