import Foundation
import Parquet
import Testing

@testable import BellwetherService

/// The tables of data for analysis (docs/reference/data.md).
@Suite struct DataTableTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The columns of version 1. They never change: a further column would break readers of older files.
    private static let version1: [DataTable: String] = [
        .events: """
        position int64!, cursor string!, received_at timestamp!, event_at timestamp!, app string!, \
        client_id string!, category string!, name string!, experiment string, branch string, message_key string, \
        message_surface string, survey_id string, user_selection string, option_string_id string, locale string, \
        feature_id string, option_index int32, revision int32, slug string, flow_id string, step_id string, \
        extra string!
        """,
        .responses: """
        response_id string!, app string!, slug string!, kind string!, status string!, revision int32, \
        client_id string, user_id string, run_status string, step_id string, platform string, message string, \
        experiment string, branch string, source string, source_id string, outcome string, attributes string, \
        attribution string, is_dev boolean!, round int32, created_at timestamp!, updated_at timestamp!, \
        submitted_at timestamp
        """,
        .answers: """
        response_id string!, app string!, slug string!, kind string!, question_id string!, step_id string, \
        part string, ordinal int32!, value string, number double, text string, status string!, branch string, \
        is_dev boolean!, round int32, created_at timestamp!, submitted_at timestamp
        """,
    ]

    @Test(arguments: DataTable.allCases) func `The columns of version 1 are as they were`(_ table: DataTable) {
        let columns = table.columns.map { "\($0.name) \($0.type)\($0.isRequired ? "!" : "")" }
        #expect(DataTable.schema == 1)
        #expect(columns.joined(separator: ", ") == Self.version1[table])
    }

    private static let begin = "<!-- begin: columns, made from the tables in Swift -->\n"
    private static let end = "<!-- end: columns -->"

    private static var tables: String {
        DataTable.allCases.map { table in
            let rows = table.columns.map { column in
                "| `\(column.name)` | \(column.type)\(column.isRequired ? "" : ", or null") | \(column.sentence) |"
            }
            return """
                ### \(table.rawValue.capitalized)

                \(table.sentence)

                | column | type | |
                | --- | --- | --- |
                \(rows.joined(separator: "\n"))

                """
        }.joined(separator: "\n")
    }

    @Test func `The reference has a sentence for each column`() throws {
        let place = Self.root.appending(path: "docs/reference/data.md")
        let text = try String(contentsOf: place, encoding: .utf8)
        let start = try #require(text.range(of: Self.begin)?.upperBound)
        let end = try #require(text.range(of: Self.end)?.lowerBound)
        if ProcessInfo.processInfo.environment["BELLWETHER_WRITE_DOCS"] != nil {
            try String(text[..<start] + Self.tables + text[end...]).write(to: place, atomically: true, encoding: .utf8)
        } else {
            #expect(text[start..<end] == Self.tables[...])
        }
    }
}
