import BellwetherBase
import BellwetherCore
import Foundation
import TestSupport

/// Exchanges with one daemon, in order.
final class GoldenSession {
    let daemon: GoldenDaemon
    private(set) var exchanges: [GoldenExchange] = []
    /// The values of references, such as `tag 7`.
    private var references: [String: String] = [:]
    private(set) var last = GoldenResponse()

    init(_ daemon: GoldenDaemon) { self.daemon = daemon }

    /// Sends a request and returns the text of its response.
    @discardableResult
    func send(_ request: GoldenRequest) throws -> String {
        let text: String
        if request.method == GoldenRequest.restart {
            daemon.stop()
            text = "restarted"
        } else {
            let resolved = try request.resolved(resolve)
            last = try daemon.answer(resolved, from: request.worker, at: request.time)
            text = RecordedText.make(last, to: request)
            for (name, field) in [("tag", "ETag"), ("next", "Bellwether-Next")] {
                references["{\(name) \(exchanges.count)}"] = last.header(field)
            }
        }
        exchanges.append(GoldenExchange(request: request, answer: text))
        return text
    }

    private func resolve(_ text: String) -> String {
        guard let start = text.firstIndex(of: "{"), let end = text[start...].firstIndex(of: "}") else { return text }
        let reference = String(text[start...end])
        return text.replacingCharacters(in: start...end, with: references[reference] ?? reference)
    }

    /// Sends the recorded requests and reports the differences: three whole exchanges, then the number of differences.
    func differences(from recorded: [GoldenExchange]) throws -> String? {
        var differing = 0
        var report: [String] = []
        for (number, expected) in recorded.enumerated() {
            let answer = try send(expected.request)
            guard answer != expected.answer else { continue }
            differing += 1
            guard differing <= 3 else { continue }
            let request = expected.request
            report.append(
                """
                exchange \(number): \(request.method) \(request.target) at \(request.time.rfc3339)
                \((request.headers + [request.body]).joined(separator: "\n"))
                --- recorded
                \(expected.answer)
                --- answered now
                \(answer)
                """)
        }
        guard differing > 0 else { return nil }
        return (report + ["\(differing) of \(recorded.count) answers differ"]).joined(separator: "\n\n")
    }
}
