public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON
internal import Surveys
internal import Synchronization

/// The changes of each app, for its owners (docs/reference/http-api.md#changes).
///
/// It has one entry for each subject that can change, with the time of its last change. So the published documents
/// bound its size, and a late reader misses nothing. Nothing is noted before the first request.
public final class ChangeJournal: Sendable {
    /// A subject that can change.
    public enum Subject: Sendable, Hashable {
        case recipe(Identifier)
        case strings(locale: Identifier)
        case manifest
        /// The responses to a recipe.
        case responses(Identifier)
        case results(Identifier)
        /// Responses and results of an unknown recipe.
        case answers
        case webhooks
    }

    /// A position in the journal of one process, and a time, which other processes use instead of the position.
    public struct Cursor: Sendable, Hashable {
        let process: String
        let sequence: UInt64
        public let time: Timestamp
    }

    /// The changes since a cursor.
    public struct Changes: Sendable {
        public let subjects: Set<Subject>
        public let cursor: Cursor
        /// Whether nothing is known of the time before, so that everything has to be read again.
        public var isRestarted = false
    }

    private struct State {
        var sequence: UInt64 = 0
        var last: [Identifier: [Subject: (sequence: UInt64, time: Timestamp)]] = [:]
        /// The snapshot that the workers serve.
        var snapshot: Snapshot?
        var start = Timestamp(milliseconds: .max)
    }

    /// The maximum difference between the clocks of processes, and the maximum delay of other processes' commits.
    private static let overlap: Int64 = 2_000
    /// The maximum number of entries of an app. A deleted recipe keeps its entries; beyond the maximum all are dropped.
    private static let maximumSubjects = 100_000

    private let clock: Clock
    /// A name that the process has chosen at its start.
    public let process = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    private let state = Mutex(State())
    private let isFollowed = Atomic<Bool>(false)
    /// Wakes the requests that wait for a change of an app.
    public let tail = TelemetryTail()

    init(_ clock: Clock) { self.clock = clock }

    /// - Parameters:
    ///   - cursor: the last cursor of the reader; nil means from now on.
    ///   - snapshot: the snapshot that the requesting worker serves.
    public func changes(in app: Identifier, after cursor: Cursor?, _ snapshot: Snapshot) -> Changes {
        let now = clock.now()
        return state.withLock { state in
            if !isFollowed.exchange(true, ordering: .acquiringAndReleasing) {
                (state.snapshot, state.start) = (snapshot, now)
            }
            let present = Cursor(process: process, sequence: state.sequence, time: now)
            guard let cursor else { return Changes(subjects: [], cursor: present) }
            let all = state.last[app] ?? [:]
            if cursor.process == process, cursor.sequence <= state.sequence {
                return Changes(subjects: Set(all.filter { $1.sequence > cursor.sequence }.keys), cursor: present)
            }
            let since = cursor.time.milliseconds - Self.overlap
            guard cursor.process != process, state.start.milliseconds <= since, cursor.time <= now else {
                return Changes(subjects: [], cursor: present, isRestarted: true)
            }
            return Changes(subjects: Set(all.filter { $1.time.milliseconds >= since }.keys), cursor: present)
        }
    }

    private func note(_ changed: [Identifier: Set<Subject>], _ state: inout State, at now: Timestamp) {
        for (app, subjects) in changed where !subjects.isEmpty {
            state.sequence += 1
            if (state.last[app]?.count ?? 0) > Self.maximumSubjects { (state.last[app], state.start) = ([:], now) }
            for subject in subjects { state.last[app, default: [:]][subject] = (state.sequence, now) }
        }
    }

    private func note(_ changed: [Identifier: Set<Subject>]) {
        let now = clock.now()
        state.withLock { note(changed, &$0, at: now) }
        tail.notify(Set(changed.keys))
    }

    /// Notes a change of an app, or of all known apps.
    func note(_ subject: Subject, of app: Identifier? = nil) {
        guard isFollowed.load(ordering: .acquiring) else { return }
        let apps = app.map { [$0] } ?? state.withLock { Array($0.snapshot?.apps.keys ?? [:].keys) }
        note(Dictionary(apps.map { ($0, [subject]) }) { first, _ in first })
    }

    /// Notes the changes of a commit.
    func note(_ groups: [WriteGroup]) {
        guard isFollowed.load(ordering: .acquiring) else { return }
        var changed: [Identifier: Set<Subject>] = [:]
        for group in groups {
            for row in group.rows {
                switch (row.name, row.value) {
                case (.run(let run), .run(let value)?): changed[run.app, default: []].insert(.responses(value.slug))
                case (.counts(let app, let key), .some):
                    guard let slug = ResultCell.slug(of: key) else { continue }
                    changed[app, default: []].formUnion([.responses(slug), .results(slug)])
                default: break
                }
            }
            for record in group.records {
                guard let slug = record.record.experiment else { continue }
                changed[record.app, default: []].insert(.results(slug))
            }
            for row in group.outbox { changed[row.app, default: []].insert(.webhooks) }
        }
        if !changed.isEmpty { note(changed) }
    }

    /// Notes the changes of a snapshot that every worker serves now.
    func note(_ snapshot: Snapshot) {
        guard isFollowed.load(ordering: .acquiring) else { return }
        let now = clock.now()
        let apps = state.withLock { state -> Set<Identifier> in
            guard let before = state.snapshot, before.version < snapshot.version else { return [] }
            var changed: [Identifier: Set<Subject>] = [:]
            for app in Set(before.apps.keys).union(snapshot.apps.keys) {
                let subjects = snapshot.subjects(of: app, changedSince: before)
                if !subjects.isEmpty { changed[app] = subjects }
            }
            state.snapshot = snapshot
            note(changed, &state, at: now)
            return Set(changed.keys)
        }
        tail.notify(apps)
    }
}

extension ChangeJournal.Cursor {
    public var text: String { "\(process).\(sequence).\(time.milliseconds)" }

    /// Nil if the text is not a cursor.
    public init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, (1...20).contains(parts[0].utf8.count), let sequence = UInt64(parts[1]),
            let time = Int64(parts[2]), (0...1 << 52).contains(time)
        else { return nil }
        self.init(process: String(parts[0]), sequence: sequence, time: Timestamp(milliseconds: time))
    }
}

extension Snapshot {
    fileprivate func subjects(of name: Identifier, changedSince before: Snapshot) -> Set<ChangeJournal.Subject> {
        let (old, new) = (before.apps[name], apps[name])
        var subjects: Set<ChangeJournal.Subject> = []
        let slugs = Set(old.map { Set($0.recipes.keys) } ?? []).union(new?.recipes.keys ?? [:].keys)
        for slug in slugs where old?.recipes[slug]?.standing != new?.recipes[slug]?.standing {
            subjects.insert(.recipe(slug))
        }
        let (oldDrafts, newDrafts) = (before.drafts(of: name), drafts(of: name))
        if old?.manifestDocument.standing != new?.manifestDocument.standing
            || oldDrafts[.manifest]?.standing != newDrafts[.manifest]?.standing
        {
            subjects.insert(.manifest)
        }
        let locales = Set([old, new].flatMap { $0.map { Array($0.stringDocuments.keys) } ?? [] })
            .union((Array(oldDrafts.keys) + newDrafts.keys).compactMap(\.locale))
        for locale in locales {
            let draft = DocumentName.strings(locale: locale)
            if old?.stringDocuments[locale]?.standing != new?.stringDocuments[locale]?.standing
                || oldDrafts[draft]?.standing != newDrafts[draft]?.standing
            {
                subjects.insert(.strings(locale: locale))
            }
        }
        return subjects
    }
}

extension StoredDocument {
    /// The values that distinguish two documents of a name.
    fileprivate var standing: [Int64] { [Int64(revision), publishedAt.milliseconds, Int64(text.count)] }
}

extension LoadedRecipe {
    fileprivate var standing: [Int64] {
        stored.document.standing + (stored.inForce?.standing ?? []) + Array(stored.state.rawValue.utf8.map(Int64.init))
    }
}
