internal import BellwetherCore

/// The freshness of a look-up of a client or a user for a decision
/// (docs/decisions/0081-every-look-up-is-told-how-fresh-it-must-be.md).
public enum Freshness: Sendable {
    /// The table in memory is current, because no other process writes.
    case local
    /// The table is used if the store reports the same version of the row; absence is version 0.
    case verified
}

/// A read of a client or a user that waits for its turn.
struct PendingLoad: Sendable {
    enum Wanted: Sendable {
        case state(@Sendable (Result<HeldClient, StoreError>) -> Void)
        /// Whether the row still has this version. A failure of the store counts as false.
        case version(UInt64, @Sendable (Bool) -> Void)
    }

    let key: ClientReference
    let wanted: Wanted

    var name: RowName { RowName(tableKey: key) }

    func fail(_ error: StoreError) {
        switch wanted {
        case .state(let completion): completion(.failure(error))
        case .version(_, let completion): completion(false)
        }
    }
}

/// Reads clients and users in batches. A batch has the reads that came while the previous batch was read.
struct ClientLoads {
    let store: any Store
    let table: ClientTable
    let freshness: Freshness

    /// The maximum size of a batch.
    static func batchSize(_ freshness: Freshness) -> Int {
        switch freshness {
        case .local: 1000
        case .verified: 64
        }
    }

    /// Loads a batch. Returns when all its reads are completed.
    func load(_ batch: [PendingLoad]) {
        do throws(StoreError) {
            let unread = freshness == .local ? batch : try verify(batch)
            if !unread.isEmpty { read(unread) }
        } catch {
            for pending in batch { pending.fail(error) }
        }
    }

    /// Completes the reads whose rows have the versions of the table. Returns the other reads, and removes their
    /// entries from the table.
    private func verify(_ batch: [PendingLoad]) throws(StoreError) -> [PendingLoad] {
        let held = batch.map { table.version(of: $0.key) }
        let asked = batch.indices.filter { held[$0] != nil || batch[$0].isOfVersion }
        guard !asked.isEmpty else { return batch }
        let versions = try store.versions(of: asked.map { batch[$0].name })
        var unread = batch.indices.filter { held[$0] == nil && !batch[$0].isOfVersion }
        for (index, version) in zip(asked, versions) {
            let pending = batch[index]
            if let held = held[index], held != version { table.forget(pending.key, at: held) }
            switch pending.wanted {
            case .version(let wanted, let completion): completion(version == wanted)
            case .state(let completion):
                if let client = table.held(pending.key), client.rows.version == version {
                    completion(.success(client))
                } else {
                    unread.append(index)
                }
            }
        }
        return unread.map { batch[$0] }
    }

    private func read(_ batch: [PendingLoad]) {
        // Loads begin before the rows are read. A commit that comes meanwhile is then newer than the rows.
        let loads = batch.map { table.beginLoad($0.key) }
        do throws(StoreError) {
            let reading = try store.read(RowQuery(names: batch.map(\.name)))
            for ((pending, load), row) in zip(zip(batch, loads), reading.rows) { finish(pending, load, row) }
        } catch {
            for (pending, load) in zip(batch, loads) { finish(pending, load, .failure(error)) }
        }
    }

    private func finish(_ pending: PendingLoad, _ load: ClientLoad, _ row: Result<StoredRow?, StoreError>) {
        switch row {
        case .success(let row):
            let stored = row.flatMap { row in
                row.client.map { StoredClient(version: row.version, state: $0) }
            }
            let client = HeldClient(pending.key, table.finish(load, stored))
            if case .state(let completion) = pending.wanted { completion(.success(client)) }
        case .failure(let error):
            table.abandon(load)
            pending.fail(error)
        }
    }
}

extension PendingLoad {
    fileprivate var isOfVersion: Bool { if case .version = wanted { true } else { false } }
}

extension StoredRow {
    fileprivate var client: ClientState? { if case .client(let state) = value { state } else { nil } }
}
