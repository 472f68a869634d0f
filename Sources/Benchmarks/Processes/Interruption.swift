import Foundation
import Synchronization

/// Ctrl-C and SIGTERM: noted by the handler, and turned into an ordinary failure where the run can clean up.
enum Interruption {
    private static let came = Atomic<Bool>(false)

    static func watch() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { _ in Interruption.came.store(true, ordering: .relaxed) }
        }
        // A server that dies under the harness must show as a failed write, not end the harness.
        signal(SIGPIPE, SIG_IGN)
    }

    static func check() throws {
        if came.load(ordering: .relaxed) { throw Failure("interrupted") }
    }
}
