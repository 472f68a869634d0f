import BellwetherBase
import BellwetherCore
internal import BellwetherJSON
import BellwetherService

@testable import SQLiteStore

/// Calls for consumers and erasures that wait for the results.
extension StoreUnderTest {
    @discardableResult
    func keep(
        _ name: String, _ number: Int64, of app: Identifier = StoreUnderTest.app, at now: Timestamp = now
    ) async throws -> ConsumerOutcome {
        try await keep(name, at: cursor(number), of: app, now: now)
    }

    @discardableResult
    func keep(
        _ name: String, at cursor: TelemetryCursor, of app: Identifier = StoreUnderTest.app, now: Timestamp = now
    ) async throws -> ConsumerOutcome {
        try await withCheckedContinuation { done in
            persistence.keepConsumer(Identifier(name), of: app, at: cursor, origin(now)) { done.resume(returning: $0) }
        }.get()
    }

    func consumers(
        of app: Identifier = StoreUnderTest.app, named name: String? = nil
    ) async throws -> [TelemetryConsumer]? {
        try await withCheckedContinuation { done in
            persistence.consumers(of: app, named: name.map { Identifier($0) }) { done.resume(returning: $0) }
        }.get()
    }

    func deleteConsumer(_ name: String, of app: Identifier = StoreUnderTest.app) async throws -> Bool {
        try await withCheckedContinuation { done in
            persistence.deleteConsumer(Identifier(name), of: app, origin(Self.now)) { done.resume(returning: $0) }
        }.get()
    }

    func erase(_ client: ClientReference) async throws -> ErasureOutcome {
        try await withCheckedContinuation { done in
            persistence.erase(.client(client), knownAs: client.id.utf8.reversed(), origin(Self.now)) {
                done.resume(returning: $0)
            }
        }.get()
    }

    private func origin(_ now: Timestamp) -> ChangeOrigin { ChangeOrigin(author: "test", at: now) }
}
