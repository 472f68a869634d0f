import TestSupport
import Testing

/// Expects that a daemon's peak memory grows by at most this many megabytes during some work.
func expectMemory<Value>(
    of daemon: Daemon, within megabytes: Int, sourceLocation: SourceLocation = #_sourceLocation,
    while work: () throws -> Value
) throws -> Value {
    let before = try daemon.peakMemory()
    let value = try work()
    if let before, let after = try daemon.peakMemory() {
        let growth = (after - before) >> 20
        #expect(growth <= megabytes, "\(growth) MB more than \(before >> 20)", sourceLocation: sourceLocation)
    }
    return value
}
