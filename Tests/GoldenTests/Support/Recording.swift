import BellwetherCore
import Foundation
import TestSupport

/// Where recordings lie, and whether they are made anew (`make golden`).
enum Recording: String {
    /// The recorded requests get new answers.
    case answers
    /// New requests are made up, and answered.
    case requests
    /// One more data directory is made by this program, beside those that are there.
    case directory

    static let current = ProcessInfo.processInfo.environment["RECORD_GOLDEN"].flatMap(Recording.init)

    static let folder = URL(fileURLWithPath: #filePath).appending(path: "../../Recordings").standardized.path

    static func exchanges(in file: String) throws -> [GoldenExchange] {
        try GoldenFile.exchanges(String(decoding: try GoldenFile.read(file), as: UTF8.self))
    }

    static func write(_ exchanges: [GoldenExchange], to file: String) throws {
        try GoldenFile.write(Array(GoldenFile.text(exchanges).utf8), to: file)
    }

    /// Sends recorded requests to a daemon, and records what it answers now.
    static func renew(_ file: String, from daemon: GoldenDaemon) throws {
        let session = GoldenSession(daemon)
        for exchange in try exchanges(in: file) { try session.send(exchange.request) }
        daemon.stop()
        try write(session.exchanges, to: file)
    }
}
