import BellwetherJSON
import Foundation

/// BellwetherJSON on typical documents: the shipped manifest and string tables, nested, with escapes and five scripts.
enum JSONSpeed {
    static func rows(_ bench: Workbench) -> [any Benchmark] {
        let parsing = InProcess("JSON, parsing", unit: "MB/s") {
            let documents = try documents(bench)
            return InProcess.Work(
                run: { try documents.reduce(0) { try $0 + (JSONValue(parsing: $1) == .null ? 0 : 1) } },
                quantity: { Double(size(documents)) / $0 * 1_000 })
        }
        let writing = InProcess("JSON, writing", unit: "MB/s") {
            let values = try documents(bench).map { try JSONValue(parsing: $0) }
            let bytes = values.reduce(0) { $0 + $1.encoded.count }
            return InProcess.Work(
                run: { values.reduce(0) { $0 + $1.encoded.count } }, quantity: { Double(bytes) / $0 * 1_000 })
        }
        return [parsing, writing]
    }

    private static func documents(_ bench: Workbench) throws -> [[UInt8]] {
        let strings = try FileManager.default.contentsOfDirectory(atPath: "\(bench.app)/strings").sorted()
        return try (["manifest.json"] + strings.map { "strings/\($0)" }).map { name in
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(bench.app)/\(name)")))
        }
    }

    private static func size(_ documents: [[UInt8]]) -> Int {
        documents.reduce(0) { $0 + $1.count }
    }
}
