import BellwetherJSON
import Foundation
import Gzip
import TestSupport
import Testing

/// Lists of a running daemon: large bodies, and what a restart, a backup and a move keep of them
/// (docs/reference/audiences.md#lists).
@Suite struct ListTests {
    private let app: TestApp

    init() throws {
        app = try TestApp(on: try Daemon(["--dev", "--workers", "2"]))
        try app.publish(
            "offer",
            [
                "triggers": ["BETA": "list.beta"],
                "messages": ["m": ["surface": "card", "text": "x", "trigger-if-all": ["BETA"]]],
            ])
    }

    /// Lines with an id each, and with blanks behind it.
    private static func ids(_ count: Int, blanks: Int = 0) -> [UInt8] {
        let rest = String(repeating: " ", count: blanks) + "\n"
        return Array((0..<count).map { "client-\($0)\(rest)" }.joined().utf8)
    }

    private func put(_ name: String, _ body: [UInt8], headers: [String: String] = [:]) throws -> HTTPResponse {
        let type = ["Content-Type": "text/plain"]
        return try app.server.send(
            "PUT", "\(app.path)/lists/\(name)", headers: type.merging(headers) { $1 }, body: body)
    }

    private static func found(_ ids: [String], in app: TestApp) throws -> JSONValue {
        let asked: JSONValue = ["ids": .array(ids.map { .string($0) })]
        return try app.server.post("\(app.path)/lists/beta/contains", asked).json["contains"]
    }

    /// The body is larger than those of recipes may be.
    @Test func `A large body is taken, plain and compressed`() throws {
        let body = Self.ids(9_000, blanks: 2_000)
        #expect(body.count > 16 << 20)
        let made = try put("beta", body)
        #expect(made.status == 201 && made.json["count"] == 9_000, "\(made.text)")
        let zipped = try #require(Deflation.gzip(Self.ids(3_000), level: 1))
        let replaced = try put("beta", zipped, headers: ["Content-Encoding": "gzip"])
        #expect(replaced.json["count"] == 3_000 && replaced.json["removed"] == 6_000, "\(replaced.text)")
        #expect(try Self.found(["client-2999", "client-3000"], in: app) == [true, false])
        #expect(try app.keys("client-7", "&surface=card") == ["m"] && app.keys("client-3000", "&surface=card") == [])
    }

    @Test(.disabled(if: Daemon.isSeveral, "a shared store has no files here"))
    func `A backup has the lists, and no id`() throws {
        #expect(try put("beta", Array("needle-4711\nother".utf8)).status == 201)
        let target = app.server.data.path + "/backup"
        let backup = try Command.bellwether("backup", "--data", app.server.data.path + "/data", target)
        #expect(backup.status == 0, "\(backup.errors)")
        app.server.signal(SIGTERM)
        #expect(try app.server.wait() == 0)
        for folder in [target, app.server.data.path + "/data"] {
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
                let bytes = FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
                #expect(bytes.range(of: Data("needle-4711".utf8)) == nil, "\(name)")
            }
        }
        let data = try TemporaryDirectory()
        let restore = try Command.bellwether("restore", target, "--data", data.path + "/data")
        #expect(restore.status == 0, "\(restore.errors)")
        let restored = TestApp(on: try Daemon(["--dev"], data: data), named: app.name)
        #expect(try Self.found(["needle-4711", "x"], in: restored) == [true, false])
        #expect(try restored.keys("needle-4711", "&surface=card") == ["m"])
    }
}
