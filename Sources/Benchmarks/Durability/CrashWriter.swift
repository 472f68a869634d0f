import BellwetherJSON
import TestSupport

/// One thread of load. No other thread uses its clients. It sends one request after the other until the daemon stops.
struct CrashWriter: Sendable {
    let clients: [String]
    let round: Int
    let port: Int
    let seed: UInt64

    /// The record of the writer's requests.
    struct Record: Sendable {
        /// The acknowledged operations, with the bodies of the responses.
        var acknowledged: [(operation: CrashOperation, answer: [UInt8])] = []
        var underWay: CrashOperation?
        /// A state that is wrong at whatever moment the kill came.
        var fault: String?
        var shown: [String: Int] = [:]
        var answered: Set<String> = []
    }

    func run() -> Record {
        var record = Record()
        var generator = SeededGenerator(seed: seed)
        do {
            let connection = try LoopbackClient(port: port)
            while true {
                guard let operation = try next(connection, record, &generator) else { continue }
                record.underWay = operation
                let answer = try operation.send(on: connection)
                do { try operation.check(answer) } catch { record.fault = "\(error)" }
                if record.fault != nil { return record }
                record.acknowledge(operation, answer.body)
            }
        } catch let error as CapExceeded {
            record.fault = error.description
        } catch {
            // The daemon has stopped. A later check finds whether it stored the operation under way.
        }
        return record
    }

    private func next(
        _ connection: LoopbackClient, _ record: Record, _ generator: inout SeededGenerator
    ) throws -> CrashOperation? {
        let client = clients[Int.random(in: 0..<clients.count, using: &generator)]
        let name = "\(round)-\(record.acknowledged.count)"
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<5: return .visits(Int.random(in: 1...5, using: &generator), by: client, named: name)
        case 5..<9: return try display(to: client, named: name, connection, record)
        default:
            guard !record.answered.contains(client) else { return nil }
            return .answer(to: CrashApp.surveyKey(round), by: client)
        }
    }

    /// A display, if the message is offered. The message is no longer offered when its cap is reached.
    private func display(
        to client: String, named name: String, _ connection: LoopbackClient, _ record: Record
    ) throws -> CrashOperation? {
        let message = try connection.get(CrashApp.poll(client, CrashApp.cappedSurface)).message
        let shown = record.shown[client, default: 0]
        guard let message else { return nil }
        guard shown < CrashApp.cap, message["display_count"]?.integer == Int64(shown) else {
            let offered = message["display_count"]?.text ?? "?"
            throw CapExceeded(description: "\(client) was shown \(shown) times and is offered \(offered)")
        }
        return .display(of: CrashApp.cappedKey(round), to: client, named: name)
    }

    private struct CapExceeded: Error { let description: String }
}

extension CrashWriter.Record {
    mutating func acknowledge(_ operation: CrashOperation, _ answer: [UInt8]) {
        acknowledged.append((operation, answer))
        underWay = nil
        note(operation)
    }

    /// Counts an operation that is now recorded.
    mutating func note(_ operation: CrashOperation) {
        switch operation.kind {
        case .visits: break
        case .display: shown[operation.client, default: 0] += 1
        case .answer: answered.insert(operation.client)
        }
    }
}
