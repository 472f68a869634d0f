extension Worker {
    /// Makes sure that the connection is called when its deadline has passed.
    func schedule(_ connection: Connection) {
        let tick = wheel.tick(for: connection.deadline)
        guard connection.deadline != .max, tick < connection.scheduledTick else { return }
        connection.scheduledTick = tick
        wheel.insert(connection.handle, at: tick)
        let due = tick << TimerWheel.tickBits
        if due < timerDue { setTimer(due) }
    }

    func turnWheel() {
        readClocks()
        timerDue = .max
        while let (tick, handles) = wheel.takeDue(now: now) {
            for handle in handles {
                // The entry is obsolete: the connection has an earlier one, or is gone.
                guard let connection = table[handle], connection.scheduledTick == tick else { continue }
                connection.scheduledTick = .max
                if connection.deadline <= now {
                    connection.expire()
                } else {
                    schedule(connection)
                }
            }
        }
        settle()
        if let due = wheel.nextDue, due < timerDue { setTimer(due) }
    }

    private func setTimer(_ due: Int64) {
        timerDue = due
        // One more millisecond, because the timer's clock is finer than the coarse one that is read then.
        wheelTimer?.add(milliseconds: due - now + 1)
    }
}
