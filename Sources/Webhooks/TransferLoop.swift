internal import BellwetherService
internal import CCurl
internal import Curl

/// The transfers of one thread: libcurl's multi interface. That thread makes, uses and frees this object. Other threads
/// may only call `wakeUp`.
final class TransferLoop {
    /// The connections that are kept for later requests.
    private static let keptConnections = 64
    private static let waitMilliseconds: UInt64 = 60_000
    private static let closingWaitMilliseconds: UInt64 = 100

    /// A multi handle that other threads may use, only to end a wait.
    private struct Waker: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer
        let wakeUp: bellwether_curl_multi_wakeup
    }

    private let library: CurlLibrary
    private let functions: CurlMultiFunctions
    private let multi: UnsafeMutableRawPointer
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]

    init(_ library: CurlLibrary) throws(CurlLibrary.Fault) {
        self.library = library
        functions = try library.multi()
        guard let multi = functions.create() else { throw CurlLibrary.Fault(reason: "it gives no multi handle") }
        self.multi = multi
        functions.keepConnections(multi, atMost: Self.keptConnections)
    }

    deinit { _ = functions.free(multi) }

    /// Ends a wait. It must not be called after this loop is freed.
    var wakeUp: @Sendable () -> Void {
        let waker = Waker(multi: multi, wakeUp: functions.wakeUp)
        return { _ = waker.wakeUp(waker.multi) }
    }

    var isIdle: Bool { transfers.isEmpty }

    /// Begins a transfer. `completion` is called once, on this thread.
    func begin(_ order: Transfer.Order, _ completion: @escaping (Result<WebhookResponse, WebhookFailure>) -> Void) {
        do {
            let transfer = try Transfer(order, library, completion)
            let code = functions.add(multi, transfer.handle)
            guard code == 0 else { return completion(.failure(.unreachable("libcurl takes no further request"))) }
            transfers[transfer.handle] = transfer
        } catch {
            completion(.failure(error))
        }
    }

    /// Continues all transfers, ends the transfers that are done, and waits for more work.
    ///
    /// - Parameter time: The time of the next work, in `MonotonicTime`; nil if no such time is known.
    func turn(until time: UInt64?, isClosing: Bool) {
        var running: Int32 = 0
        _ = functions.perform(multi, &running)
        var left: Int32 = 0
        var hasEnded = false
        while let message = functions.readMessage(multi, &left) {
            guard message.pointee.message == Int32(CURLMSG_DONE), let handle = message.pointee.handle else { continue }
            let code = message.pointee.data.result
            _ = functions.remove(multi, handle)
            hasEnded = true
            guard let transfer = transfers.removeValue(forKey: handle) else { continue }
            transfer.finish(code)
        }
        // A completion may have sent a request, which must begin before the wait.
        guard !hasEnded else { return }
        let now = MonotonicTime.nanoseconds
        let wait = time.map { $0 > now ? ($0 - now) / 1_000_000 + 1 : 0 } ?? Self.waitMilliseconds
        let bound = isClosing ? Self.closingWaitMilliseconds : Self.waitMilliseconds
        _ = functions.poll(multi, nil, 0, Int32(min(wait, bound)), nil)
    }

    /// Cancels the transfers in progress.
    func cancelAll() {
        let broken = transfers.values
        transfers = [:]
        for transfer in broken {
            _ = functions.remove(multi, transfer.handle)
            transfer.cancel()
        }
    }
}
