internal import HTTPWire

extension Worker {
    /// Handles everything that was posted since the last time, in its order.
    func readMail() {
        readClocks()
        for message in mailbox.take() {
            switch message {
            case .completed(let id, let box): unpark(id) { $0.complete(box) }
            case .expired(let id): unpark(id) { $0.expire() }
            case .broadcast(let message, let acknowledgement):
                responder?.receive(message)
                acknowledgement.acknowledge()
            case .drain: beginDrain()
            }
        }
        settle()
    }
}
