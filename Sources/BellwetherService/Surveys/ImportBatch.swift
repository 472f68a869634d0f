internal import Synchronization

/// Responses that are imported together, each in its own transaction.
public struct ImportBatch: Sendable {
    public typealias Completion = @Sendable (Result<[ImportRun.Outcome], StoreError>) -> Void

    private let runs: [ImportRun]

    public init(_ runs: [ImportRun]) { self.runs = runs }

    /// Stores the responses in order. Of two with the same id, or respondent, the first counts. If one fails, others
    /// may be stored; to repeat the import is harmless.
    public func store(by driver: ActionDriver, _ completion: @escaping Completion) {
        guard !runs.isEmpty else { return completion(.success([])) }
        let outcomes = Outcomes(runs.count)
        for (index, run) in runs.enumerated() {
            driver.perform(run, for: Requester()) { outcome in
                if let all = outcomes.enter(outcome, at: index) { completion(all) }
            }
        }
    }

    /// Returns the outcome of each response alone; nothing is written.
    public func ask(_ persistence: Persistence, _ completion: @escaping Completion) {
        let runs = runs
        persistence.inquire(runs.flatMap(\.names).uniqued, { Self.answer(runs, $0) }, completion)
    }

    private static func answer(_ runs: [ImportRun], _ rows: TransactionRows) -> Inquiry<[ImportRun.Outcome]> {
        var results: [ImportRun.Outcome] = []
        var missing: [RowName] = []
        for run in runs {
            switch run.question(rows) {
            case .done(let result): results.append(result)
            case .needs(let names): missing += names
            }
        }
        return missing.isEmpty ? .done(results) : .needs(missing.uniqued)
    }
}

extension [RowName] {
    /// The names, each once.
    fileprivate var uniqued: [RowName] {
        var seen: Set<RowName> = []
        return filter { seen.insert($0).inserted }
    }
}

/// The outcomes of transactions that were submitted together.
private final class Outcomes: Sendable {
    private struct Content {
        var results: [Result<ImportRun.Outcome, StoreError>?]
        var missing: Int
    }

    private let content: Mutex<Content>

    init(_ count: Int) {
        content = Mutex(Content(results: Array(repeating: nil, count: count), missing: count))
    }

    /// Enters an outcome. When the last has come, returns all of them, or the first failure if there is one.
    func enter(
        _ result: Result<ImportRun.Outcome, StoreError>, at index: Int
    ) -> Result<[ImportRun.Outcome], StoreError>? {
        content.withLock { content in
            content.results[index] = result
            content.missing -= 1
            guard content.missing == 0 else { return nil }
            return Result { () throws(StoreError) in
                var results: [ImportRun.Outcome] = []
                for result in content.results { if let result { results.append(try result.get()) } }
                return results
            }
        }
    }
}
