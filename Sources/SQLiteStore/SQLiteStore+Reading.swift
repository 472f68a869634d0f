public import BellwetherCore
public import BellwetherService
import Dispatch
import GRDB

/// A read of a client that waits for its turn; the table knows of it since before the row is read.
struct PendingLoad: Sendable {
    let client: ClientReference
    let load: ClientLoad
    let completion: @Sendable (Result<ClientState?, StoreError>) -> Void
}

/// A read of the log, or of who takes it away.
struct PendingTelemetryRead: Sendable {
    let read: @Sendable (DatabasePool) -> Void
}

/// Reads: clients in one transaction for all that wait, telemetry one page at a time.
extension SQLiteStore {
    public func load(
        _ client: ClientReference, _ completion: @escaping @Sendable (Result<ClientState?, StoreError>) -> Void
    ) {
        let pending = PendingLoad(client: client, load: table.beginLoad(client), completion: completion)
        switch loads.add(pending) {
        case .waiting: break
        case .first: wakeLoader()
        case .full: fail(pending, .overloaded)
        case .closed: fail(pending, .closed)
        }
    }

    private func wakeLoader() {
        loadQueue.async { [self] in
            loadNext()
            if loads.rest() { wakeLoader() }
        }
    }

    func loadNext() {
        let batch = loads.take(weight: 1000)
        guard !batch.isEmpty else { return }
        let rows: [ClientRow?]
        do {
            rows = try database.read { database in
                let apps = try AppRows(database)
                let clients = try ClientRows(database)
                return try batch.map { pending in
                    guard let app = try apps.find(pending.client.app) else { return nil }
                    return try clients.find(app: app, id: pending.client.id)
                }
            }
        } catch {
            for pending in batch { fail(pending, StoreError(error)) }
            return
        }
        for (pending, row) in zip(batch, rows) { finish(pending, row) }
    }

    private func finish(_ pending: PendingLoad, _ row: ClientRow?) {
        do {
            let stored = try row?.client(pending.client)
            pending.completion(.success(table.finish(pending.load, stored)?.state))
        } catch {
            fail(pending, StoreError(error))
        }
    }

    private func fail(_ pending: PendingLoad, _ error: StoreError) {
        table.abandon(pending.load)
        pending.completion(.failure(error))
    }

    public func readTelemetry(
        _ query: TelemetryQuery, _ completion: @escaping @Sendable (Result<TelemetryPage, StoreError>) -> Void
    ) {
        let bound = settings.scannedRecords
        readLog(completion) { try TelemetryRows.page(query, scanning: bound, $0) }
    }

    public func consumers(
        of app: String, named name: String?,
        _ completion: @escaping @Sendable (Result<[TelemetryConsumer]?, StoreError>) -> Void
    ) {
        readLog(completion) { try ConsumerRows($0).all(of: app, named: name) }
    }

    func readLog<Value: Sendable>(
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ read: @escaping @Sendable (Database) throws -> Value
    ) {
        let pending = PendingTelemetryRead { database in
            completion(Result { try database.read(read) }.mapError { StoreError($0) })
        }
        switch telemetryReads.add(pending) {
        case .waiting: break
        case .first: wakeTelemetryReader()
        case .full: completion(.failure(.overloaded))
        case .closed: completion(.failure(.closed))
        }
    }

    private func wakeTelemetryReader() {
        telemetryQueue.async { [self] in
            readNextTelemetry()
            if telemetryReads.rest() { wakeTelemetryReader() }
        }
    }

    func readNextTelemetry() {
        for pending in telemetryReads.take(weight: 1) { pending.read(database) }
    }
}
