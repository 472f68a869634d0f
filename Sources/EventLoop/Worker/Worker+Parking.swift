internal import HTTPWire

extension Worker: Parking {
    func park<Outcome: Sendable>(
        _ exchange: consuming Exchange, wait: ParkWait<Outcome>?,
        resume: @escaping (Outcome, consuming Exchange) -> Void
    ) -> Ticket<Outcome> {
        lastParkedID &+= 1
        let id = lastParkedID
        let parking = ParkedWith(exchange, wait, resume)
        parked[id] = parking
        counters.parked.count()
        parking.connection?.park(id, milliseconds: wait?.milliseconds)
        // If the wait is over already, its end is posted, because the ticket must be returned before the exchange
        // continues.
        if wait != nil && (isDraining || parking.connection?.peerHasFinished == true) { mailbox.post(.expired(id)) }
        return Ticket { [mailbox] outcome in mailbox.post(.completed(id, OutcomeBox(outcome))) }
    }

    /// Ends the parking with that number, if it has not ended, and resumes its exchange.
    func unpark(_ id: UInt64, _ proceed: (Parked) -> Void) {
        guard let parking = forget(id) else { return }
        guard let connection = parking.connection else { return proceed(parking) }
        connection.proceed { proceed(parking) }
    }

    /// Ends it without an outcome: the exchange is dropped with the value that is returned.
    @discardableResult
    func forget(_ id: UInt64) -> Parked? {
        guard let parking = parked.removeValue(forKey: id) else { return nil }
        counters.parked.count(-1)
        return parking
    }
}
