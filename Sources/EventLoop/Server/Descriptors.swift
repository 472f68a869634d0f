internal import Glibc

/// The number of file descriptors that the process may open.
enum Descriptors {
    /// Reserved for files, databases and libraries. Without a free descriptor, some of them end the process.
    private static let forOthers = 64
    /// The descriptors of a worker's loop, mailbox, timers and listener.
    private static let forLoop = 8
    /// The smallest useful number of connections.
    private static let fewest = 16

    /// The number of descriptors that remain for connections.
    static func forConnections(workers: Int) throws(ServerError) -> Int {
        let reserved = forOthers + workers * (forLoop + Worker.refusedAtOnce)
        let limit = raiseLimit()
        guard limit >= reserved + fewest else {
            throw .resources("\(reserved + fewest) open files, which \(workers) workers need: the limit is \(limit)")
        }
        return limit - reserved
    }

    /// Raises the limit on open files to the maximum that the system allows this process, and returns it.
    private static func raiseLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
