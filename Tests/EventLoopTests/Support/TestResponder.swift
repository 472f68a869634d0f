import HTTPWire
import Synchronization
import TestSupport

/// The state that the responders of one test server share with the test.
final class Board: Sendable {
    private struct State {
        var tickets: [Ticket<String?>] = []
        var resumed: [String] = []
        var received: [String] = []
        var started: [String] = []
    }

    private let state = Mutex(State())

    var tickets: [Ticket<String?>] { state.withLock { $0.tickets } }
    /// The outcomes that were delivered to parked exchanges.
    var resumed: [String] { state.withLock { $0.resumed } }
    /// The broadcasts, as `index:message`.
    var received: [String] { state.withLock { $0.received } }
    /// The paths of requests that reached a responder.
    var started: [String] { state.withLock { $0.started } }

    func add(_ ticket: Ticket<String?>) { state.withLock { $0.tickets.append(ticket) } }
    func noteResumed(_ text: String) { state.withLock { $0.resumed.append(text) } }
    func noteReceived(_ text: String) { state.withLock { $0.received.append(text) } }
    func noteStarted(_ text: String) { state.withLock { $0.started.append(text) } }
}

/// Responds by the path: `/echo`, `/big/N`, `/park`, `/wait/MILLISECONDS`, `/stream`, `/hold`, `/release`, `/drop`,
/// `/worker`, `/peer`, `/client`; any other path is repeated as text.
final class TestResponder: Responder {
    private let worker: any Parking
    private let index: Int
    private let board: Board
    private var held: [ParkedExchange] = []
    private var writers: [TestWriter] = []

    init(_ worker: any Parking, _ index: Int, _ board: Board) {
        self.worker = worker
        self.index = index
        self.board = board
    }

    func bodyLimit(for request: Request) -> Int { request.path.elementsEqual("/small".utf8) ? 10 : 8 << 20 }

    func respond(to request: Request, _ exchange: consuming Exchange) {
        let path = String(decoding: request.path, as: UTF8.self)
        board.noteStarted(path)
        let parts = path.split(separator: "/")
        switch parts.first {
        case "echo": exchange.reply(Response(200, body: .bytes(Array(request.body))))
        case "big":
            let count = Int(parts.last ?? "") ?? 0
            exchange.reply(Response(200, body: .bytes([UInt8](repeating: 0x78, count: count))))
        case "park": board.add(park(exchange, nil))
        case "wait":
            let wait = ParkWait<String?>(milliseconds: Int(parts.last ?? "") ?? 0, outcome: nil)
            board.add(park(exchange, wait))
        case "client":
            let text = "\(request.isEncrypted) \(request.clientNames.joined(separator: " "))"
            exchange.reply(Response(200, body: .bytes(Array(text.utf8))))
        case "stream":
            let writer = TestWriter(board)
            writers.append(writer)
            worker.stream(Response(200), by: writer, exchange)
        case "hold": held.append(ParkedExchange(exchange))
        case "release":
            releaseHeld("released")
            exchange.reply(text("releasing"))
        case "drop": break
        case "worker": exchange.reply(text("\(index)"))
        case "peer": exchange.reply(text(request.peer.text))
        case "id": exchange.reply(text(request.identifier))
        default: exchange.reply(text(path))
        }
    }

    func receive(_ message: any Sendable) {
        board.noteReceived("\(index):\(message)")
        guard let message = message as? String else { return }
        if message == "release" { releaseHeld(message) }
        for writer in writers { writer.take(message) }
    }

    private func park(_ exchange: consuming Exchange, _ wait: ParkWait<String?>?) -> Ticket<String?> {
        worker.park(exchange, wait: wait) { [board] (outcome: String?, exchange: consuming Exchange) in
            board.noteResumed(outcome ?? "nothing")
            exchange.reply(Response(200, body: .bytes(Array((outcome ?? "nothing").utf8))))
        }
    }

    private func releaseHeld(_ message: String) {
        let exchanges = held
        held = []
        for exchange in exchanges { exchange.reply(text(message)) }
    }

    private func text(_ text: String) -> Response { Response(200, body: .bytes(Array(text.utf8))) }
}

/// Writes what is broadcast as `write:TEXT`, and ends at `end`.
private final class TestWriter: StreamWriter {
    private weak var stream: (any ResponseStream)?
    private let board: Board
    private var news: [String] = []

    init(_ board: Board) { self.board = board }

    func take(_ message: String) {
        news.append(message)
        stream?.wake(afterMilliseconds: 0)
    }

    func streamBegins(_ stream: any ResponseStream) {
        self.stream = stream
        stream.send(Array("begin;".utf8))
        board.noteStarted("stream begins")
    }

    func streamIsDue() {
        for message in news {
            if message == "end" { stream?.finish() }
            if message.hasPrefix("write:") { stream?.send(Array(message.dropFirst(6).utf8)) }
            if message == "flood" { stream?.send([UInt8](repeating: 0x78, count: 1 << 20)) }
        }
        news = []
    }

    func serverDrains() {
        stream?.send(Array("drain;".utf8))
        stream?.finish()
    }

    func streamEnded() { board.noteStarted("stream ended") }
}
