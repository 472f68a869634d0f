public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Surveys

/// Counts runs whose last save was by a version of the daemon without counts, or with counts that do not name the type
/// and scale of a question. Each run is written once more, with the marks of its answers. Until all runs of a recipe
/// are counted, its results read every run
/// (docs/decisions/0089-results-are-counted-in-the-commit-of-each-run.md).
///
/// If the daemon stops meanwhile, the next start continues. Several daemons may do this at once. It is done daily,
/// because a migration marks such runs while daemons serve.
public struct EarlierRuns: Sendable {
    /// The time after which a daemon whose store failed tries again.
    public static let retrySeconds: Int64 = 600

    private static let pageSize = 200

    private let store: Persistence
    private let now: Timestamp

    public init(in store: Persistence, now: Timestamp) { (self.store, self.now) = (store, now) }

    /// The row that marks a recipe that has uncounted runs.
    static func name(app: Identifier, slug: Identifier) -> RowName { .counts(app: app, key: "\u{1F}\(slug)") }

    /// Receives false if the store failed.
    public typealias Completion = @Sendable (_ isDone: Bool) -> Void

    /// Counts the runs of these apps, one recipe after another.
    public func count(_ apps: [Identifier], _ completion: @escaping Completion) {
        guard let app = apps.first else { return completion(true) }
        store.uncounted(in: app) { slugs in
            guard case .success(let slugs) = slugs else { return completion(false) }
            count(slugs, of: app) { isDone in
                guard isDone else { return completion(false) }
                count(Array(apps.dropFirst()), completion)
            }
        }
    }

    private func count(_ slugs: [Identifier], of app: Identifier, _ completion: @escaping Completion) {
        guard let slug = slugs.first else { return completion(true) }
        store.definitions(of: slug, in: app) { definitions in
            guard case .success(let definitions) = definitions else { return completion(false) }
            var query = RunQuery(app: app, limit: Self.pageSize)
            query.slug = slug
            countPage(query, definitions) { isDone in
                guard isDone else { return completion(false) }
                store.submit(finish(slug, of: app)) { result in
                    guard case .success = result else { return completion(false) }
                    count(Array(slugs.dropFirst()), of: app, completion)
                }
            }
        }
    }

    private func countPage(_ query: RunQuery, _ definitions: RunDefinitions, _ completion: @escaping Completion) {
        store.readRuns(query) { result in
            guard case .success(let runs) = result else { return completion(false) }
            let names = runs.filter { !$0.isCountedBySeries }.map {
                RowName.run(RunReference(app: query.app, id: $0.id))
            }
            store.submit(marking(names, definitions)) { result in
                guard case .success = result else { return completion(false) }
                guard runs.count == query.limit, let last = runs.last else { return completion(true) }
                var next = query
                next.after = RunCursor(last)
                countPage(next, definitions, completion)
            }
        }
    }

    private func marking(_ names: [RowName], _ definitions: RunDefinitions) -> Transaction<Void> {
        Transaction(names: names, weight: max(1, names.count), now: now) { rows in
            var outcome = TransactionOutcome(result: ())
            for name in names {
                guard case .run(let run)? = rows[name], !run.isCountedBySeries else { continue }
                outcome.rows.append((name, .run(definitions.marking(run))))
            }
            return .done(outcome)
        }
    }

    private func finish(_ slug: Identifier, of app: Identifier) -> Transaction<Void> {
        let name = Self.name(app: app, slug: slug)
        return Transaction(names: [name], now: now) { _ in
            var outcome = TransactionOutcome(result: ())
            outcome.rows = [(name, .counts(ResultCounts()))]
            return .done(outcome)
        }
    }
}

/// The definitions of a recipe's revisions.
struct RunDefinitions: Sendable {
    private var contents: [Int: any PublishedContent] = [:]

    init(_ revisions: [StoredDocument], slug: Identifier) {
        for revision in revisions { contents[revision.revision] = ContentKind.published(revision, slug: slug) }
    }

    /// The content of a revision; nil if it is unknown or cannot be read.
    func content(of revision: Int) -> (any PublishedContent)? { contents[revision] }

    /// The run with the marks of its revision. A run of an unknown revision keeps the marks that it has.
    func marking(_ run: Run) -> Run {
        if run.isCountedBySeries { return run }
        return contents[run.revision]?.marking(run) ?? run.keepingMarks
    }
}

extension DataReading {
    func definitions(of slug: Identifier, in app: Identifier) throws(StoreError) -> RunDefinitions {
        let revisions: [StoredDocument] = try values(.revisions(app: app, slug: slug), limit: .max) {
            if case .document(let document) = $0 { document } else { nil }
        }
        return RunDefinitions(revisions, slug: slug)
    }
}

extension Persistence {
    /// The recipes of an app whose runs are not counted yet.
    func uncounted(in app: Identifier, _ completion: @escaping @Sendable (Result<[Identifier], StoreError>) -> Void) {
        read(completion) { [store] () throws(StoreError) in
            try store.find(.small(.counts, app: app, prefix: "\u{1F}"), limit: .max).compactMap { row in
                guard case .counts(_, let key) = row.name else { return nil }
                return Identifier(key.text.dropFirst())
            }
        }
    }

    func definitions(
        of slug: Identifier, in app: Identifier,
        _ completion: @escaping @Sendable (Result<RunDefinitions, StoreError>) -> Void
    ) {
        read(completion) { [store] () throws(StoreError) in try store.definitions(of: slug, in: app) }
    }
}
