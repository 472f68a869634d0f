import BellwetherService
import Dispatch

/// When one transaction began, came to its COMMIT, and ended; by a clock that never goes back.
struct StoreTiming {
    /// Seconds: 100 µs is a fast disk's fsync, 10 s is one that hangs.
    static let bounds = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    private let begin = DispatchTime.now().uptimeNanoseconds
    private var commit: UInt64 = 0
    private var end: UInt64 = 0

    mutating func commitBegins() { commit = DispatchTime.now().uptimeNanoseconds }
    mutating func ends() { end = DispatchTime.now().uptimeNanoseconds }

    var batchSeconds: Double { Double(end - begin) / 1e9 }
    var commitSeconds: Double { Double(end - commit) / 1e9 }
}

extension SQLiteStoreStatistics {
    mutating func add(_ timing: StoreTiming, submissions: Int) {
        batchSizes.observe(Double(submissions))
        batchSeconds.observe(timing.batchSeconds)
        commitSeconds.observe(timing.commitSeconds)
    }
}
