import BellwetherBase
import BellwetherCore
import BellwetherService
import HTTPWire
import StoreSupport
import Testing

@testable import BellwetherAPI

/// The last use of a token. It is exact to the minute, written once a minute, and never delays a request.
@Suite struct TokenUseTests {
    private let worker: WorkerUnderTest
    private let text: String

    init() throws {
        let worker = try WorkerUnderTest(settings: APISettings())
        self.worker = worker
        text = try #require(try worker.tokens.issueFirst()).text
        worker.worker.receive(IssuedTokens(TokenTable(issued: try worker.tokens.start())))
    }

    private func use(_ token: String? = nil) throws -> Int {
        let headers = [(name: "Authorization", value: "Bearer \(token ?? text)")]
        return try worker.send(.get, "/v1/apps/app/messages?client_id=c", headers: headers).status
    }

    /// The stored uses, after the register has handled the queue.
    private func written() async -> (times: Int, last: Timestamp?) {
        await withCheckedContinuation { done in worker.tokens.list { _ in done.resume() } }
        return (worker.store.tokenUses, (try? worker.store.loadTokens().tokens.first)?.lastUsedAt)
    }

    @Test func `It is written at most once a minute`() async throws {
        let start = try #require(Timestamp(rfc3339: "2026-03-10T12:00:00Z"))
        for _ in 0..<3 { #expect(try use() == 200) }
        #expect(await written() == (1, start))
        worker.pass(seconds: 59)
        #expect(try use() == 200)
        #expect(await written() == (1, start))
        worker.pass(seconds: 1)
        #expect(try use() == 200)
        #expect(await written() == (2, start.adding(seconds: 60)))
    }

    @Test func `Another worker's use within the minute is not written again`() async throws {
        #expect(try use() == 200)
        let digest = Token.digest(of: Array(text.utf8))
        worker.tokens.noteUse(digest, at: try #require(Timestamp(rfc3339: "2026-03-10T12:00:59Z")))
        #expect(await written().times == 1)
    }

    @Test func `What is refused for its scope was used; what is unknown was not`() async throws {
        #expect(try use("unknown") == 401)
        worker.tokens.noteUse(Token.digest(of: Array("unknown".utf8)), at: Timestamp(seconds: 0))
        #expect(await written() == (0, nil))
    }

    @Test func `A store that is down holds up no request`() async throws {
        worker.store.fail(.unavailable("gone"))
        #expect(
            try worker.send(.get, "/v1/apps", headers: [(name: "Authorization", value: "Bearer \(text)")]).status == 200
        )
        #expect(await written().times == 0)
    }

    @Test func `The first token is made once`() throws {
        #expect(try worker.tokens.issueFirst() == nil)
    }
}
