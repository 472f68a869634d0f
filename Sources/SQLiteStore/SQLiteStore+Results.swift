public import BellwetherService
import Dispatch
import GRDB

struct PendingResults: Sendable {
    let query: ResultsQuery
    let completion: @Sendable (Result<ResultsReading, StoreError>) -> Void
}

/// Results: a connection and a queue of their own, for they may take seconds where others take microseconds.
extension SQLiteStore {
    public func readResults(
        _ query: ResultsQuery, _ completion: @escaping @Sendable (Result<ResultsReading, StoreError>) -> Void
    ) {
        switch resultReads.add(PendingResults(query: query, completion: completion)) {
        case .waiting: break
        case .first: wakeResultsReader()
        case .full: completion(.failure(.overloaded))
        case .closed: completion(.failure(.closed))
        }
    }

    private func wakeResultsReader() {
        resultsQueue.async { [self] in
            readNextResults()
            if resultReads.rest() { wakeResultsReader() }
        }
    }

    func readNextResults() {
        for read in resultReads.take(weight: 1) {
            // Each may take seconds, for which a stop does not wait.
            guard !submissions.isClosed else {
                read.completion(.failure(.closed))
                continue
            }
            do {
                read.completion(.success(try database.read { try ResultRows.read(read.query, $0) }))
            } catch {
                read.completion(.failure(StoreError(error)))
            }
        }
    }
}
