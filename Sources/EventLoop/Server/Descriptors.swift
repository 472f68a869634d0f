internal import Glibc

/// What the process may open.
enum Descriptors {
    /// Files, databases and what libraries open: those that run out of descriptors may end the process.
    private static let forOthers = 64
    /// A worker's loop, mailbox, timers and listener.
    private static let forLoop = 8
    /// With fewer it is no server.
    private static let fewest = 16

    /// How many may be connections', after what everybody else needs.
    static func forConnections(workers: Int) throws(ServerError) -> Int {
        let reserved = forOthers + workers * (forLoop + Worker.refusedAtOnce)
        let limit = raiseLimit()
        guard limit >= reserved + fewest else {
            throw .resources("\(reserved + fewest) open files, which \(workers) workers need: the limit is \(limit)")
        }
        return limit - reserved
    }

    /// Raises the limit on open files to what the system allows this process, and returns it.
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
