import BellwetherCore
import Foundation
import TestSupport

/// The folder of recordings, and whether they are renewed (`make golden`).
enum Recording: String {
    /// The recorded requests are sent again, and the new responses recorded.
    case answers
    /// New requests are made and recorded with their responses.
    case requests
    /// This program makes one more data directory; existing ones stay.
    case directory

    static let current = ProcessInfo.processInfo.environment["RECORD_GOLDEN"].flatMap(Recording.init)

    static let folder = URL(fileURLWithPath: #filePath).appending(path: "../../Recordings").standardized.path

    static func exchanges(in file: String) throws -> [GoldenExchange] {
        try GoldenFile.exchanges(String(decoding: try GoldenFile.read(file), as: UTF8.self))
    }

    static func write(_ exchanges: [GoldenExchange], to file: String) throws {
        try GoldenFile.write(Array(GoldenFile.text(exchanges).utf8), to: file)
    }

    /// Sends recorded requests to a daemon, and records its current responses.
    static func renew(_ file: String, from daemon: GoldenDaemon) throws {
        let session = GoldenSession(daemon)
        for exchange in try exchanges(in: file) { try session.send(exchange.request) }
        daemon.stop()
        try write(session.exchanges, to: file)
    }
}
