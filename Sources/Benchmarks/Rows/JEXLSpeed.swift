import BellwetherJSON
import JEXL

/// One evaluation of a compiled trigger: six nodes over attributes, and a common event query.
enum JEXLSpeed {
    static func rows(_ bench: Workbench) -> [any Benchmark] {
        [
            row("JEXL, 6 nodes", "enrollments_map.survey == 'treatment' && is_default_browser"),
            row("JEXL, event query", "'homepage_viewed'|eventSum('Years', 4, 0) >= 2"),
        ]
    }

    private static func row(_ name: String, _ source: String) -> any Benchmark {
        InProcess(name, unit: "ns") {
            let expression = try CompiledExpression(source)
            let client = try Client()
            guard try expression.isTrue(in: client) else { throw Failure("\(name): should be true") }
            return InProcess.Work(run: { try expression.isTrue(in: client) ? 1 : 0 }, quantity: { $0 })
        }
    }

    /// A client as the daemon presents it: its attributes in a dictionary, and its counters already summed.
    private struct Client: JEXLEnvironment {
        private let attributes: [String: JSONValue]

        init() throws {
            attributes = [
                "enrollments_map": try JSONValue(parsing: #"{"homepage":"control","survey":"treatment"}"#),
                "is_default_browser": .bool(true), "locale": .string("de"), "os": .string("iOS"),
            ]
        }

        func value(of identifier: String) -> JSONValue? { attributes[identifier] }
        func result(of query: EventQuery) -> Double { 2 }
        func hash48(ofJSON text: [UInt8]) -> UInt64 { 0 }
    }
}
