import BellwetherJSON
import Foundation
import TestSupport
import Testing

/// A pipeline with a cursor of another data directory gets an error.
@Suite struct ForeignCursorTests {
    private func filled(_ daemon: Daemon, _ count: Int) throws -> TestApp {
        let app = try TestApp(on: daemon)
        try app.publish("r", Sample.message())
        for number in 0..<count { try app.record("c\(number)", Event.message("displayed", "m")) }
        return app
    }

    private func next(_ app: TestApp) throws -> String {
        try #require(try app.server.get("\(app.path)/telemetry").header("Bellwether-Next"))
    }

    @Test func `A cursor of another data directory is 410, however many records there are`() throws {
        let cursor = try next(filled(try Daemon(), 2))
        let app = try filled(try Daemon(), 5)
        let answer = try app.server.get("\(app.path)/telemetry?after=\(cursor)")
        #expect(places(expectProblem(answer, 410)) == [" cursor_foreign"])
        #expect(answer.json["detail"].string?.contains("another database") == true)
        let place = try app.server.put("\(app.path)/consumers/lake", ["cursor": .string(cursor)])
        #expect(places(expectProblem(place, 410)) == [" cursor_foreign"])
        let tail = try Command.bellwether(
            "tail", "--url", "http://127.0.0.1:\(app.server.port)", "--app", app.name, "--since", cursor)
        #expect(tail.status == 1 && tail.output.isEmpty && tail.errors.contains("another database"))
        // The same holds for a waiting request, and for an app without records.
        expectProblem(try app.server.get("\(app.path)/telemetry?wait=60&after=\(cursor)"), 410)
        let empty = try TestApp(on: app.server)
        expectProblem(try empty.server.get("\(empty.path)/telemetry?after=\(cursor)"), 410)
    }

    @Test(.disabled(if: Daemon.isSeveral, "PostgreSQL's own tools make backups"))
    func `A backup that is served as it is knows the cursors up to the backup, and no later ones`() throws {
        let original = try filled(try Daemon(), 2)
        let early = try next(original)
        let data = original.server.data.path
        #expect(try Command.bellwether("backup", "--data", data + "/data", data + "/backup").status == 0)
        try original.record("late", Event.message("displayed", "m"))
        let late = try next(original)
        try original.server.kill()

        let folder = try TemporaryDirectory()
        try FileManager.default.copyItem(atPath: data + "/backup", toPath: folder.path + "/data")
        let copy = TestApp(on: try Daemon(data: folder), named: original.name)
        for number in 0..<3 { try copy.record("new\(number)", Event.message("displayed", "m")) }
        let page = try copy.server.get("\(copy.path)/telemetry?after=\(early)")
        #expect(page.lines.map { $0["client_id"] } == ["new0", "new1", "new2"])
        let answer = try copy.server.get("\(copy.path)/telemetry?after=\(late)")
        #expect(places(expectProblem(answer, 410)) == [" cursor_beyond_end"])
        #expect(answer.json["detail"].string?.contains("beyond the end") == true)
    }
}
