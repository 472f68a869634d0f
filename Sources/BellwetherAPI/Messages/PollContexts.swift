internal import BellwetherCore
internal import BellwetherService

/// The contexts that poll a worker. Questions that come to the same share one, whatever they add that nobody declared
/// and in whatever order they ask. Belongs to one thread. What was asked outlasts a publish that leaves manifests
/// and the locales of string tables alone; what was worked out for it goes with the app's edition, a little at a time.
///
/// Bounded, also against those who ask something else each time: when it is full, one context goes that nobody asked
/// for since the hand came by last (the clock rule), and a question that was not kept costs one reading.
final class PollContexts {
    /// A context, as long as it is kept.
    struct Place: Equatable {
        fileprivate let position: UInt32
        fileprivate let stamp: UInt32
    }

    struct Found {
        let context: PollContext
        let place: Place
        /// How many attributes the question brings that the manifest does not declare.
        let ignoredAttributes: Int
    }

    private struct Entry {
        let asked: AskedContext
        /// Nil when nobody asked since the app was published.
        var context: PollContext?
        /// That context's: a publish looks at all entries, and not at what is behind them.
        var app: ObjectIdentifier?
        let stamp: UInt32
        var isReferenced = false
    }

    private let capacity: Int
    private var entries: [Entry] = []
    private var positions: [AskedContext.Meaning: UInt32] = [:]
    private var questions: KnownQuestions
    private var outcomes: [String: TriggerOutcomes] = [:]
    private var hand = 0
    private var lastStamp: UInt32 = 0
    private var litter = Litter<PollContext?>()

    init(capacity: Int) {
        self.capacity = capacity
        questions = KnownQuestions(bound: 2 * capacity)
    }

    var count: Int { entries.count }

    /// Something was published.
    func follow(_ snapshot: Snapshot, after last: Snapshot) {
        outcomes = outcomes.filter { snapshot.apps[$0.key]?.catalog === $0.value.catalog }
        let isAskedAlike = last.apps.allSatisfy { name, app in
            snapshot.apps[name]?.manifestDocument == app.manifestDocument
                && snapshot.apps[name]?.strings.localeNames == app.strings.localeNames
        }
        let kept = isAskedAlike ? Set(snapshot.apps.values.map(ObjectIdentifier.init)) : []
        litter.add(takeContexts(except: kept))
        guard !isAskedAlike else { return }
        (entries, hand) = ([], 0)
        positions.removeAll(keepingCapacity: true)
    }

    private func takeContexts(except apps: Set<ObjectIdentifier>) -> [PollContext?] {
        var contexts: [PollContext?] = Array(repeating: nil, count: entries.count)
        var count = 0
        for position in entries.indices {
            guard let app = entries[position].app, !apps.contains(app) else { continue }
            swap(&contexts[count], &entries[position].context)
            entries[position].app = nil
            count += 1
        }
        contexts.removeLast(contexts.count - count)
        return contexts
    }

    /// What triggers come to on this thread.
    func outcomes(of app: AppSnapshot) -> TriggerOutcomes {
        if let known = outcomes[app.name], known.catalog === app.catalog { return known }
        let outcomes = TriggerOutcomes(of: app.catalog)
        self.outcomes[app.name] = outcomes
        return outcomes
    }

    /// Whether what was asked is still there, which it is for longer then.
    func keep(_ place: Place) -> Bool {
        let position = Int(place.position)
        guard position < entries.count, entries[position].stamp == place.stamp else { return false }
        entries[position].isReferenced = true
        return true
    }

    /// What was asked, in the app as it is now.
    private func context(at position: UInt32, of app: AppSnapshot) -> PollContext {
        let position = Int(position)
        if let known = entries[position].context { return known }
        let context = PollContext(entries[position].asked, app: app, outcomes: outcomes(of: app))
        entries[position].context = context
        entries[position].app = ObjectIdentifier(app)
        return context
    }

    func context(for question: PollQuestion, app: AppSnapshot, call: Call) throws(APIError) -> Found {
        litter.sweep()
        if let (place, ignored) = questions.find(question.key), keep(place) {
            return Found(context: context(at: place.position, of: app), place: place, ignoredAttributes: ignored)
        }
        let reading = try ContextReading(app: app, call: call).readQuery()
        let meaning = AskedContext.Meaning(app.name, reading.context, surfaces: reading.surfaces)
        let position =
            positions[meaning]
            ?? enter(
                AskedContext(
                    targeting: reading.context, surfaces: reading.surfaces, meaning: meaning,
                    countdown: call.worker.sampling.countdown(of: app)))
        let place = Place(position: position, stamp: entries[Int(position)].stamp)
        questions.note(question.key, place, ignored: reading.ignored)
        return Found(context: context(at: position, of: app), place: place, ignoredAttributes: reading.ignored)
    }

    private func enter(_ asked: AskedContext) -> UInt32 {
        lastStamp &+= 1
        let entry = Entry(asked: asked, stamp: lastStamp)
        let position: Int
        if entries.count < capacity {
            position = entries.count
            entries.append(entry)
        } else {
            position = nextVictim()
            positions[entries[position].asked.meaning] = nil
            entries[position] = entry
        }
        positions[asked.meaning] = UInt32(position)
        return UInt32(position)
    }

    private func nextVictim() -> Int {
        while true {
            if hand >= entries.count { hand = 0 }
            defer { hand += 1 }
            guard entries[hand].isReferenced else { return hand }
            entries[hand].isReferenced = false
        }
    }
}

/// Which questions came to which context. Each has four places, which it shares with few others: a question that drives
/// out another costs that one a reading.
private struct KnownQuestions {
    private struct Entry: BitwiseCopyable {
        let key: PollQuestion.Key
        let place: PollContexts.Place
        let ignored: Int32
    }

    private let bound: Int
    private var entries: [Entry?] = []
    private var count = 0

    private static let initialCapacity = 512
    /// A power of two.
    private static let ways = 4

    /// `bound` is a power of two.
    init(bound: Int) { self.bound = bound }

    func find(_ key: PollQuestion.Key) -> (place: PollContexts.Place, ignored: Int)? {
        guard !entries.isEmpty else { return nil }
        for place in row(of: key) {
            guard let entry = entries[place], entry.key == key else { continue }
            return (entry.place, Int(entry.ignored))
        }
        return nil
    }

    mutating func note(_ key: PollQuestion.Key, _ place: PollContexts.Place, ignored: Int) {
        if count * 2 >= entries.count, entries.count < bound { grow() }
        enter(Entry(key: key, place: place, ignored: Int32(clamping: ignored)))
    }

    private mutating func enter(_ entry: Entry) {
        let row = row(of: entry.key)
        let own = row.first { entries[$0]?.key == entry.key } ?? row.first { entries[$0] == nil }
        let place = own ?? row.lowerBound + Int(truncatingIfNeeded: entry.key.first) & (Self.ways - 1)
        if entries[place] == nil { count += 1 }
        entries[place] = entry
    }

    private mutating func grow() {
        let old = entries
        entries = Array(repeating: nil, count: max(Self.initialCapacity, old.count * 2))
        count = 0
        for case .some(let entry) in old { enter(entry) }
    }

    private func row(of key: PollQuestion.Key) -> Range<Int> {
        let first = Int(truncatingIfNeeded: key.second) & (entries.count - 1) & ~(Self.ways - 1)
        return first..<(first + Self.ways)
    }
}
