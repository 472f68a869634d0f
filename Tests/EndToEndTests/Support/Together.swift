import Foundation
import Synchronization

/// Runs works on several threads at once, and returns the results in the order of the works.
func together<Value: Sendable>(_ works: [@Sendable () throws -> Value]) throws -> [Value] {
    let results = Mutex<[Int: Result<Value, any Error>]>([:])
    let done = DispatchSemaphore(value: 0)
    for (place, work) in works.enumerated() {
        let thread = Thread {
            let result = Result { try work() }
            results.withLock { $0[place] = result }
            done.signal()
        }
        thread.start()
    }
    for _ in works { done.wait() }
    let all = results.withLock { $0 }
    return try works.indices.compactMap { try all[$0]?.get() }
}
