internal import HTTPWire

extension Worker {
    /// Stops accepting, ends all waits, closes what is and stays idle, and ends the loop when the last connection is
    /// gone.
    func beginDrain() {
        guard !isDraining else { return }
        isDraining = true
        drainTimer?.add(milliseconds: limits.drainSeconds.milliseconds)
        stopAccepting()
        let connections = table.all
        for connection in connections { connection.noteDrain() }
        for id in parked.keys.sorted() where parked[id]?.hasWait == true { unpark(id) { $0.expire() } }
        for connection in connections { connection.beginDrain() }
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
