import BellwetherCore
import BellwetherJSON
import JEXL

/// One evaluation of a compiled trigger with six nodes over attributes, and the hash that buckets a client.
enum JEXLSpeed {
    static func rows(_ bench: Workbench) -> [any Benchmark] {
        [
            InProcess("JEXL, 6 nodes", unit: "ns") {
                let expression = try CompiledExpression(
                    "enrollments_map.survey == 'treatment' && is_default_browser")
                let client = try Client()
                guard try expression.isTrue(in: client) else { throw Failure("the expression should be true") }
                return InProcess.Work(run: { try expression.isTrue(in: client) ? 1 : 0 }, quantity: { $0 })
            },
            InProcess("bucket hash", unit: "ns", limit: .atMost(300)) {
                let id = "5a1f0a3e-7c7e-4d59-9f3e-0d3d0d0f9a51"
                return InProcess.Work(
                    run: { Int(Bucketing.enrollmentHash(id: id, namespace: "ios-microsurvey-homepage") & 1) },
                    quantity: { $0 })
            },
        ]
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
