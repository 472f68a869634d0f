import Foundation
import Synchronization

/// Ctrl-C and SIGTERM. The handler notes the signal, and `check` turns it into an ordinary error, so that the run can
/// clean up.
enum Interruption {
    private static let came = Atomic<Bool>(false)

    static func watch() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { _ in Interruption.came.store(true, ordering: .relaxed) }
        }
        // If a server dies, the benchmark must get a write error instead of ending itself.
        signal(SIGPIPE, SIG_IGN)
    }

    static func check() throws {
        if came.load(ordering: .relaxed) { throw Failure("interrupted") }
    }
}
