import BellwetherService
import Foundation
import HTTPWire
import Synchronization
import TestSupport
import Testing
import Webhooks

/// Requests over real sockets.
@Suite struct WebhookSenderTests {
    @Test func aRequestArrivesAsItWasMade() async throws {
        let receiver = try WebhookReceiver { _ in
            .status(200, headers: ["Content-Type: text/plain ", "Retry-After: 7"], body: Array("ok".utf8))
        }
        let body = Array("{\"a\":\"\u{0}\u{e9}\"}".utf8) + Array(repeating: UInt8(0x20), count: 2 << 20)
        let headers = [WebhookRequest.Header("webhook-id", "msg_1"), WebhookRequest.Header("X-Empty", "")]
        let answer = try await SenderUnderTest().send(receiver.url + "?key=1", headers: headers, body: body)
        let expected = WebhookResponse(
            status: 200, retryAfterSeconds: 7, contentType: "text/plain", body: Array("ok".utf8))
        #expect(answer == .success(expected))
        let request = try #require(receiver.requests.first)
        #expect(request.line == "POST /hook?key=1 HTTP/1.1" && request.body == body)
        #expect(request.headers["webhook-id"] == "msg_1" && request.headers["x-empty"] == "")
        #expect(request.headers["expect"] == nil && request.headers["authorization"] == nil)
    }

    @Test(arguments: [400, 410, 500, 503])
    func anyStatusIsAnAnswer(_ status: Int) async throws {
        let receiver = try WebhookReceiver { _ in .status(status) }
        let answer = try await SenderUnderTest().send(receiver.url)
        #expect(answer == .success(WebhookResponse(status: status)))
    }

    @Test func aRedirectIsNotFollowed() async throws {
        let target = try WebhookReceiver { _ in .status(200) }
        let receiver = try WebhookReceiver { _ in .status(307, headers: ["Location: \(target.url)"]) }
        let answer = try await SenderUnderTest().send(receiver.url)
        #expect(answer == .success(WebhookResponse(status: 307)))
        #expect(target.connectionCount == 0)
    }

    @Test(arguments: ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "127.1", "2130706433", "0x7f.1", "017700000001"])
    func whatIsNotPublicIsRefusedHoweverItIsWritten(_ host: String) async throws {
        let receiver = try WebhookReceiver { _ in .status(200) }
        let answer = try await SenderUnderTest(allowing: []).send("http://\(host):\(receiver.port)/")
        #expect(answer == .failure(.refusedAddress))
        #expect(receiver.connectionCount == 0)
    }

    /// An open connection is checked again after the rules have changed.
    @Test func narrowerRulesHoldForConnectionsThatAreOpen() async throws {
        let receiver = try WebhookReceiver { _ in .status(200) }
        let test = try SenderUnderTest()
        for _ in 0..<2 {
            #expect(try await test.send(receiver.url) == .success(WebhookResponse(status: 200)))
        }
        let requests = receiver.requests.count
        #expect(requests >= 2)
        test.sender.follow(AddressRules())
        #expect(try await test.send(receiver.url) == .failure(.refusedAddress))
        #expect(receiver.requests.count == requests)
    }

    @Test func aSlowReceiverEndsInATimeout() async throws {
        let receiver = try WebhookReceiver { _ in .silence }
        #expect(try await SenderUnderTest().send(receiver.url, seconds: 0.3) == .failure(.timeout))
    }

    @Test func anAnswerOfTenMegabytesIsTooLong() async throws {
        let receiver = try WebhookReceiver { _ in .status(200, body: Array(repeating: 0x78, count: 10_000_000)) }
        #expect(try await SenderUnderTest().send(receiver.url) == .failure(.answerTooLong))
        let endless = try WebhookReceiver { _ in .endless }
        #expect(try await SenderUnderTest().send(endless.url) == .failure(.answerTooLong))
    }

    @Test func anAnswerUpToTheBoundIsTaken() async throws {
        let body = Array(repeating: UInt8(ascii: "x"), count: 1 << 20)
        let receiver = try WebhookReceiver { _ in .status(200, body: body) }
        #expect(try await SenderUnderTest().send(receiver.url) == .success(WebhookResponse(status: 200, body: body)))
    }

    @Test func aHeadWithoutAnEndIsTooLong() async throws {
        let lines = (0..<2000).map { "X-\($0): \(String(repeating: "x", count: 60))\r\n" }.joined()
        let receiver = try WebhookReceiver { _ in .bytes("HTTP/1.1 200 S\r\n" + lines) }
        #expect(try await SenderUnderTest().send(receiver.url) == .failure(.answerTooLong))
    }

    @Test func whatIsNoHTTPIsAFailure() async throws {
        let receiver = try WebhookReceiver { _ in .bytes("secret text of the receiver\r\n\r\n") }
        guard case .failure(.unreachable(let reason)) = try await SenderUnderTest().send(receiver.url) else {
            return #expect(Bool(false), "an answer")
        }
        #expect(!reason.isEmpty && !reason.contains("secret"))
    }

    @Test func aPortWhereNobodyListensIsAFailure() async throws {
        let port = try WebhookReceiver { _ in .silence }.port
        guard case .failure(.unreachable) = try await SenderUnderTest().send("http://127.0.0.1:\(port)/") else {
            return #expect(Bool(false), "an answer")
        }
    }

    @Test(arguments: [
        ("X", "a\r\nY: b"), ("X", "a\nb"), ("X", "a\u{0}"), ("X: y", "a"), ("", "a"), ("X\r\nY", "a"), ("X y", "a"),
    ])
    func aHeaderCannotChangeTheRequest(_ name: String, _ value: String) async throws {
        let receiver = try WebhookReceiver { _ in .status(200) }
        let answer = try await SenderUnderTest().send(receiver.url, headers: [WebhookRequest.Header(name, value)])
        #expect(answer == .failure(.unsafeHeader(name)))
        #expect(receiver.connectionCount == 0)
    }

    /// Requests without a free connection wait for one until their time limit.
    @Test func onlySoManyGoToOneHostAtOnce() async throws {
        let receiver = try WebhookReceiver { _ in .silence }
        let other = try WebhookReceiver { _ in .status(200) }
        let test = try SenderUnderTest()
        let url = try #require(WebhookURL(receiver.url))
        for _ in 0..<WebhookSender.hostBound {
            test.sender.send(WebhookRequest(url: url, headers: [], body: [], seconds: 600)) { _ in }
        }
        #expect(try await test.send(receiver.url, seconds: 0.2) == .failure(.overloaded))
        #expect(try await test.send(other.url) == .success(WebhookResponse(status: 200)))
        #expect(eventually { receiver.requests.count == WebhookSender.hostBound })
    }

    @Test func whoeverWaitsForAPlaceGetsOne() throws {
        // No request gets a response before all connections are used and others wait.
        let gate = DispatchSemaphore(value: 0)
        let receiver = try WebhookReceiver { number in
            if number < WebhookSender.hostBound { gate.wait() }
            return .status(200)
        }
        let test = try SenderUnderTest()
        let answers = Mutex<[SenderUnderTest.Response]>([])
        let request = WebhookRequest(url: try #require(WebhookURL(receiver.url)), headers: [], body: [], seconds: 600)
        for _ in 0..<(WebhookSender.hostBound + 200) {
            test.sender.send(request) { answer in answers.withLock { $0.append(answer) } }
        }
        #expect(eventually { receiver.requests.count == WebhookSender.hostBound })
        #expect(answers.withLock { $0.isEmpty })
        for _ in 0..<WebhookSender.hostBound { gate.signal() }
        #expect(eventually { answers.withLock { $0.count } == WebhookSender.hostBound + 200 })
        #expect(answers.withLock { $0.allSatisfy { $0 == .success(WebhookResponse(status: 200)) } })
    }

    @Test func manyAtOnceAllArrive() async throws {
        let receivers = try (0..<4).map { _ in try WebhookReceiver { _ in .status(200) } }
        let test = try SenderUnderTest()
        let answers = try await withThrowingTaskGroup(of: SenderUnderTest.Response.self) { group in
            for number in 0..<200 { group.addTask { try await test.send(receivers[number % 4].url) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0 == .success(WebhookResponse(status: 200)) })
        #expect(receivers.map(\.requests.count) == [50, 50, 50, 50])
    }

    /// - Parameters:
    ///   - receiver: where a request is under way when the close begins.
    ///   - seconds: the time that the close leaves it.
    /// - Returns: what came of it.
    private func responseOfClosed(_ receiver: WebhookReceiver, graceSeconds seconds: Double) async throws
        -> SenderUnderTest.Response?
    {
        let test = try SenderUnderTest()
        let result = Mutex<SenderUnderTest.Response?>(nil)
        let url = try #require(WebhookURL(receiver.url))
        test.sender.send(WebhookRequest(url: url, headers: [], body: [], seconds: 600)) { response in
            result.withLock { $0 = response }
        }
        #expect(eventually { receiver.requests.count == 1 })
        await test.close(graceSeconds: seconds)
        #expect(try await test.send(receiver.url) == .failure(.closed))
        return result.withLock { $0 }
    }

    @Test func aCloseWaitsForWhatIsUnderWay() async throws {
        let receiver = try WebhookReceiver { _ in .status(200) }
        let response = try await responseOfClosed(receiver, graceSeconds: longestWait)
        #expect(response == .success(WebhookResponse(status: 200)))
    }

    @Test func aCloseBreaksOffWhatTakesLonger() async throws {
        let receiver = try WebhookReceiver { _ in .silence }
        #expect(try await responseOfClosed(receiver, graceSeconds: 0.3) == .failure(.closed))
    }

    @Test func noThreadIsStartedBeforeTheFirstRequest() async throws {
        let starts = Mutex(0)
        let sender = WebhookSender(AddressRules()) { _ in
            starts.withLock { $0 += 1 }
            return false
        }
        #expect(starts.withLock { $0 } == 0)
        let request = WebhookRequest(
            url: try #require(WebhookURL("http://a.example")), headers: [], body: [], seconds: 1)
        for _ in 0..<2 {
            let result = await withCheckedContinuation { done in sender.send(request) { done.resume(returning: $0) } }
            #expect(result == .failure(.unreachable("the system gives no thread")))
        }
        #expect(starts.withLock { $0 } == 2)
    }
}
