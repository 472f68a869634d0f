internal import HTTPWire

extension Worker {
    /// A connection that was just made may have sent its first request already: it gets this long to arrive.
    private static let graceMilliseconds: Int64 = 250

    /// Stops accepting, ends all waits, closes what is idle, and ends the loop when the last connection is gone.
    func beginDrain() {
        guard !isDraining else { return }
        isDraining = true
        drainTimer?.add(milliseconds: limits.drainSeconds.milliseconds)
        stopAccepting()
        for id in parked.keys.sorted() where parked[id]?.hasWait == true { unpark(id) { $0.expire() } }
        for connection in table.all { connection.beginDrain(graceMilliseconds: Self.graceMilliseconds) }
        endIfDrained()
    }

    /// Called when a connection is gone.
    func endIfDrained() {
        if isDraining && table.count == 0 { base.stop() }
    }

    /// The drain has taken too long: what is left is cut off.
    func endDrain() {
        guard table.count > 0 else { return }
        finishedInTime = false
        base.stop()
    }
}
