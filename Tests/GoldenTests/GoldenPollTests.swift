import BellwetherBase
import BellwetherCore
import Foundation
import PostgresSupport
import TestSupport
import Testing

/// The program's decisions stay the same as in the recording, byte for byte.
@Suite struct GoldenPollTests {
    private static let polls = 10_000
    private static let file = Recording.folder + "/exchanges.gz"

    @Test func `Polls, explains and telemetry reads get the recorded answers`() throws {
        if let recording = Recording.current { try record(recording) }
        let directory = try TemporaryDirectory()
        let session = GoldenSession(GoldenDaemon(directory: directory.path + "/data"))
        defer { session.daemon.stop() }
        let recorded = try Recording.exchanges(in: Self.file)
        let differences = try session.differences(from: recorded)
        if let differences { Issue.record(Comment(rawValue: differences)) }
        #expect(recorded.count { $0.request.target.contains("/messages") } == Self.polls)
    }

    /// The kind of store does not affect decisions. The test takes some minutes, so only `Scripts/test-nodes` runs it.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["TEST_NODES"] != nil))
    func `The same requests get the same answers from PostgreSQL`() throws {
        let server = try PostgresServer.shared.get()
        let uri = try server.emptySchema()
        let session = GoldenSession(GoldenDaemon { try server.openStore(uri) })
        defer { session.daemon.stop() }
        let differences = try session.differences(from: try Recording.exchanges(in: Self.file))
        if let differences { Issue.record(Comment(rawValue: differences)) }
    }

    private func record(_ recording: Recording) throws {
        let directory = try TemporaryDirectory()
        let daemon = GoldenDaemon(directory: directory.path + "/data")
        defer { daemon.stop() }
        switch recording {
        case .answers: try Recording.renew(Self.file, from: daemon)
        case .requests:
            let session = GoldenSession(daemon)
            let start = try #require(Timestamp(rfc3339: "2026-03-10T12:00:00Z"))
            let recorder = try GoldenRecorder(session, seed: 20_261_122, clients: 300, at: start)
            try recorder.run(polls: Self.polls, restarts: 2)
            try Recording.write(session.exchanges, to: Self.file)
        case .directory: break
        }
    }
}
