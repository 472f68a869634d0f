internal import BellwetherCore
internal import BellwetherService
internal import HTTPWire

extension Call {
    /// Responds from a client's state: at once if it is in memory, else after it was read. An unknown client has an
    /// empty state.
    func withState(
        of client: ClientReference, _ answer: @escaping (ClientState) throws(APIError) -> Handling
    ) throws(APIError) -> Handling {
        switch services.persistence.lookUp(client) {
        case .known(let held):
            if let state = held.state, state.userID == nil { return try answer(state) }
        case .absent: return try answer(ClientState())
        case .notLoaded: break
        }
        return park { (ticket: Ticket<Result<HeldClient, StoreError>>) in
            self.services.persistence.loadJoined(client) { ticket.complete($0) }
        } resume: { (outcome) throws(APIError) in
            try answer(try outcome.orThrow().state)
        }
    }
}
