import BellwetherBase
import BellwetherCore
import Foundation
import Gzip
import TestSupport

/// Exchanges in a file of text, compressed with gzip: `zcat FILE | less` shows them.
///
///     > 2026-03-10T12:00:00.000Z 0 GET /v1/apps/ios/messages?client_id=c1
///     > If-None-Match: {tag 7}
///     >> the request's body
///     < 200
///     < ETag: "…"
///     <
///     < {"messages":[…
///
/// `= 12` in place of a response means that it equals the response of exchange 12. Exchanges count from 0.
enum GoldenFile {
    static func text(_ exchanges: [GoldenExchange]) -> String {
        var lines: [String] = []
        var first: [String: Int] = [:]
        for (number, exchange) in exchanges.enumerated() {
            let request = exchange.request
            lines.append("> \(request.time.rfc3339) \(request.worker) \(request.method) \(request.target)")
            lines += request.headers.map { "> " + $0 }
            if !request.body.isEmpty {
                lines += request.body.split(separator: "\n", omittingEmptySubsequences: false).map { ">> " + $0 }
            }
            if let earlier = first[exchange.answer] {
                lines.append("= \(earlier)")
            } else {
                first[exchange.answer] = number
                lines += exchange.answer.split(separator: "\n", omittingEmptySubsequences: false).map { "< " + $0 }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static func exchanges(_ text: String) throws -> [GoldenExchange] {
        var result: [GoldenExchange] = []
        var lines = text.split(separator: "\n")[...]
        func take(_ prefix: String) -> [String] {
            let taken = lines.prefix { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.utf8.count)) }
            lines = lines.dropFirst(taken.count)
            return taken
        }
        while !lines.isEmpty {
            let head = take("> ")
            let body = take(">> ").joined(separator: "\n")
            let same = take("= ").first.flatMap { Int($0) }
            let answer = take("< ").joined(separator: "\n")
            guard let request = request(head, body) else { throw Failure("exchange \(result.count) has no request") }
            guard !answer.isEmpty || same.map({ $0 < result.count }) ?? false else {
                throw Failure("exchange \(result.count) has no answer")
            }
            result.append(GoldenExchange(request: request, answer: same.map { result[$0].answer } ?? answer))
        }
        return result
    }

    private static func request(_ head: [String], _ body: String) -> GoldenRequest? {
        let words = (head.first ?? "").split(separator: " ", maxSplits: 3).map(String.init)
        guard words.count == 4, let time = Timestamp(rfc3339: words[0]), let worker = Int(words[1]) else { return nil }
        return GoldenRequest(
            time: time, worker: worker, method: words[2], target: words[3], headers: Array(head.dropFirst()), body: body
        )
    }

    static func read(_ path: String) throws -> [UInt8] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return try Inflation.gunzip(Array(data)[...], limit: 256 << 20).get()
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        guard let packed = Deflation.gzip(bytes, level: 9) else { throw Failure("\(path) could not be compressed") }
        let url = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(packed).write(to: url)
    }
}
