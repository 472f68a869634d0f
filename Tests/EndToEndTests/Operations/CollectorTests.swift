import BellwetherJSON
import Foundation
import TestSupport
import Testing

@testable import BellwetherSettings

/// The sample configuration of the OpenTelemetry Collector (docs/operators-guide.md#traces-and-logs). Debian 12 has no
/// package of the collector, so its operators are followed here: what they read is in real lines of a daemon.
@Suite struct CollectorTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let span = "b7ad6b7169203331"

    /// An operator of a receiver, with its members by their paths, such as `timestamp.parse_from`.
    private struct Operator {
        var members: [String: [String]] = [:]
        var type: String { members["type"]?.first ?? "" }

        /// The attribute that a member names.
        func attribute(_ path: String) -> String? {
            members[path]?.first.map { String($0.trimmingPrefix("attributes.")) }
        }
    }

    private let receivers: [String: [Operator]]
    private let used: Set<String>

    init() throws {
        let file = Repository.path + "/config/otel-collector.yaml"
        let root = try #require(try YAMLDocument.read(Array(Data(contentsOf: URL(fileURLWithPath: file)))))
        receivers = Dictionary(
            uniqueKeysWithValues: root["receivers"].map { name, receiver in
                (name, receiver.member("operators")?.elements.map(Self.read) ?? [])
            })
        let pipelines = root["service"].first { $0.0 == "pipelines" }?.1
        used = Set(pipelines?.member("logs")?.member("receivers")?.elements.compactMap(\.text) ?? [])
    }

    private static func read(_ node: YAMLNode) -> Operator {
        var result = Operator()
        func add(_ node: YAMLNode, _ path: [String]) {
            switch node.content {
            case .scalar(let text, _): result.members[path.joined(separator: "."), default: []].append(text)
            case .list(let nodes): for node in nodes { add(node, path) }
            case .mapping: for (name, value) in node.pairs { add(value, path + [name]) }
            }
        }
        add(node, [])
        return result
    }

    private func operators(_ receiver: String, _ type: String) throws -> Operator {
        try #require(receivers[receiver]?.first { $0.type == type }, "\(receiver): \(type)")
    }

    /// The lines that a traced publish, a traced poll and a traced request for nothing cause.
    private func lines() throws -> (access: [JSONObject], daemon: [JSONObject]) {
        let folder = try TemporaryDirectory()
        let file = folder.path + "/access.log"
        let daemon = try Daemon(
            ["--dev"], environment: ["BELLWETHER_LOG_ACCESS": file, "BELLWETHER_LOG_FORMAT": "json"])
        let headers = ["traceparent": "00-\(Self.trace)-\(Self.span)-01"]
        let json = headers.merging(["Content-Type": "application/json"]) { $1 }
        let manifest = Array(#"{"app_name": "a", "default_locale": "en-US", "surfaces": ["card"]}"#.utf8)
        #expect(try daemon.send("PUT", "/v1/apps/app/manifest", headers: json, body: manifest).status == 201)
        #expect(try daemon.send("GET", "/v1/apps/app/messages?client_id=c", headers: headers).status == 200)
        #expect(try daemon.send("GET", "/nowhere", headers: headers).status == 404)
        try waitUntil("three lines") { try String(contentsOfFile: file, encoding: .utf8).count { $0 == "\n" } == 3 }
        daemon.signal(SIGTERM)
        #expect(try daemon.wait() == 0)
        let access = try String(contentsOfFile: file, encoding: .utf8)
        let read = { (text: String) in
            try text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)).object ?? [:] }
        }
        return (try read(access), try read(daemon.logText))
    }

    @Test func `What the configuration reads is in the lines of a traced request`() throws {
        let (access, daemon) = try lines()
        #expect(access.map { $0["status"] } == [201, 200, 404])
        let published = try #require(daemon.first { $0["message"] == "published" })
        for (receiver, lines) in [("filelog/access", access), ("filelog/daemon", [published])] {
            #expect(used.contains(receiver))
            let parts = try #require(receivers[receiver])
            let trace = try operators(receiver, "trace_parser")
            for line in lines {
                #expect(line[try #require(trace.attribute("trace_id.parse_from"))] == .string(Self.trace))
                #expect(line[try #require(trace.attribute("span_id.parse_from"))] == .string(Self.span))
                for part in parts {
                    for (path, names) in part.members where path.hasSuffix("parse_from") || path == "from" {
                        #expect(names.allSatisfy { $0.hasPrefix("attributes.") })
                        #expect(line[part.attribute(path) ?? ""] != nil, "\(receiver): \(part.type) \(path)")
                    }
                }
            }
        }
        #expect(used == Set(receivers.keys))
    }

    @Test func `The time and the level of each line can be read`() throws {
        let (access, daemon) = try lines()
        #expect(daemon.count >= 3)
        // The layout of Go for RFC 3339; its fraction may be absent.
        let layout = "2006-01-02T15:04:05.999Z07:00"
        for (receiver, lines) in [("filelog/access", access), ("filelog/daemon", daemon)] {
            let parser = try operators(receiver, "json_parser")
            #expect(
                parser.members["timestamp.layout"] == [layout] && parser.members["timestamp.layout_type"] == ["gotime"])
            for line in lines {
                let time = line[try #require(parser.attribute("timestamp.parse_from"))]?.string ?? ""
                #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z/) != nil, "\(time)")
            }
        }
        let ofStatus = try operators("filelog/access", "severity_parser").members
            .filter { $0.key.hasPrefix("mapping.") }.flatMap(\.value)
        #expect(ofStatus.sorted() == ["2xx", "3xx", "4xx", "5xx"])
        // The collector itself knows trace, debug, info, warn, error and fatal.
        let ofLevel = try operators("filelog/daemon", "json_parser").members
            .filter { $0.key.hasPrefix("severity.mapping.") }.flatMap(\.value)
        let known = Set(["trace", "debug", "info", "error"] + ofLevel)
        #expect(known == ["trace", "debug", "info", "notice", "warning", "error", "critical"])
        #expect(daemon.allSatisfy { known.contains($0["level"]?.string ?? "") && $0["logger"] == "bellwether" })
    }
}

extension YAMLNode {
    fileprivate var text: String? { if case .scalar(let text, _) = content { text } else { nil } }

    fileprivate var elements: [YAMLNode] { if case .list(let nodes) = content { nodes } else { [] } }

    fileprivate var pairs: [(String, YAMLNode)] {
        guard case .mapping(let members) = content else { return [] }
        return members.map { ($0.key.text ?? "", $0.value) }
    }

    fileprivate func member(_ name: String) -> YAMLNode? { pairs.first { $0.0 == name }?.1 }

    fileprivate subscript(name: String) -> [(String, YAMLNode)] { member(name)?.pairs ?? [] }
}
