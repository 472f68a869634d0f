import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Dispatch
import Foundation
import StoreSupport
import Synchronization
import Testing

@testable import BellwetherService

/// Two writers of the same row in one process: the second waits for its turn, and no attempt is lost.
@Suite struct WriteTurnTests {
    private static let entry = AuditEntry(
        exportOf: "r", in: "app", ChangeOrigin(author: "test", at: Timestamp(milliseconds: 1)))

    @Test func `Who reads the end of the audit has written before another reads it`() throws {
        let store = TestStore()
        let attempts = Atomic<Int>(0)
        let hasWritten = DispatchSemaphore(value: 0)
        try store.commitAudited { () throws(StoreError) in
            if attempts.add(1, ordering: .relaxed).newValue == 1 {
                Thread.detachNewThread {
                    try? store.commitAudited { () throws(StoreError) in ((), WriteGroup([]), [Self.entry]) }
                    hasWritten.signal()
                }
                // Without turns, the other writer would be first here.
                _ = hasWritten.wait(timeout: .now() + .milliseconds(100))
            }
            return ((), WriteGroup([]), [Self.entry])
        }
        hasWritten.wait()
        #expect(attempts.load(ordering: .relaxed) == 1)
        #expect(try store.readAudit(AuditQuery(after: 0, limit: 10)).count == 2)
    }
}
