import BellwetherService
import Foundation
import HTTPWire
import TestSupport
import Testing
import Webhooks

/// A sender that may connect to loopback. Its functions wait for the results.
final class SenderUnderTest: Sendable {
    typealias Response = Result<WebhookResponse, WebhookFailure>

    let sender: WebhookSender

    init(allowing blocks: [String] = ["127.0.0.0/8", "::1"]) throws {
        sender = WebhookSender(AddressRules(allowing: try blocks.map { try AddressBlock($0) })) { body in
            Thread.detachNewThread(body)
            return true
        }
    }

    deinit { sender.close(graceSeconds: 0) {} }

    func send(
        _ url: String, headers: [WebhookRequest.Header] = [], body: [UInt8] = Array("{}".utf8),
        seconds: Double = longestWait
    ) async throws -> Response {
        let request = WebhookRequest(
            url: try #require(WebhookURL(url)), headers: headers, body: body, seconds: seconds)
        return await withCheckedContinuation { done in sender.send(request) { done.resume(returning: $0) } }
    }

    func close(graceSeconds: Double) async {
        await withCheckedContinuation { done in sender.close(graceSeconds: graceSeconds) { done.resume() } }
    }
}
