internal import HTTPWire

/// All that a worker is made of, before its thread exists.
struct WorkerPlan: Sendable {
    let index: Int
    let settings: ServerSettings
    let listener: ListeningSocket
    let mailbox: Mailbox<WorkerMessage>
    let counters: WorkerCounters
    let connectionCount: ConnectionCount
    let buffered: BufferedBytes
    let makeResponder: @Sendable (any Parking, Int) -> any Responder
}
