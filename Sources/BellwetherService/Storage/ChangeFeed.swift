public import BellwetherJSON
internal import Dispatch
internal import Synchronization

/// The heads of a store that several processes write.
public protocol SharedHeads: Sendable {
    /// Reads the heads. It blocks, and is called several times a second.
    func heads() throws(StoreError) -> StoreHeads

    /// The difference that was measured last, without I/O.
    var clockDifference: ClockDifference { get }

    /// Calls the observer soon after a head has moved, on any thread. A store without notifications never calls it.
    func observe(_ observer: @escaping @Sendable () -> Void)
}

/// The heads of a store.
public struct StoreHeads: Sendable, Hashable {
    public var catalog: CatalogHead
    public var tokens: TokenHead
    /// The number of the newest record of any app's log.
    public var newestRecord: Int64

    public init(catalog: CatalogHead, tokens: TokenHead, newestRecord: Int64) {
        self.catalog = catalog
        self.tokens = tokens
        self.newestRecord = newestRecord
    }
}

/// The only source that tells a process of changes in the store
/// (docs/decisions/0079-what-a-process-holds-in-memory-follows-one-change-feed.md).
///
/// Followers get the process's own commits at once. If the store is shared, they get commits of other processes within
/// `lookMilliseconds`, or sooner if the store notifies. Followers are called on any thread. For changes of other
/// processes they may block for a read.
public final class ChangeFeed: Sendable {
    /// The time between two looks. Two looks fit into the second within which every process has to know of a change.
    public static let lookMilliseconds = 400

    public typealias RecordFollower = @Sendable (_ apps: Set<Identifier>?) -> Void
    public typealias TallyFollower =
        @Sendable (
            _ tallies: [CommittedTally], _ completion: @escaping @Sendable () -> Void
        ) -> Void
    public typealias CellFollower = @Sendable (_ recipes: Set<RecipeReference>) -> Void
    public typealias ListFollower = @Sendable (_ completion: @escaping @Sendable () -> Void) -> Void
    /// Returns false if the changes could not be read; then the look does not count.
    public typealias HeadFollower = @Sendable (StoreHeads) -> Bool

    /// The functions are in a structure, because a lock around a bare function wraps the function once more at each
    /// access. A call would then go through all the wrappers.
    private struct Followers {
        var records: RecordFollower?
        var tallies: TallyFollower?
        var cells: CellFollower?
        var lists: ListFollower?
        var heads: [HeadFollower] = []
    }

    /// The age after which a look counts as outdated, in nanoseconds (docs/reference/http-api.md#several-nodes).
    private static let currentNanoseconds: UInt64 = 1_000_000_000

    /// The journal of changes of each app, for owners.
    public let journal: ChangeJournal
    /// The activity of each app's recipes, for owners.
    public let activity: Activity
    /// The streams of this node.
    public let streams = StreamHub()
    /// The behaviour events that clients sent lately.
    let seenEvents = SeenEvents()
    private let shared: (any SharedHeads)?
    private let uptime: @Sendable () -> UInt64
    /// The time at which the last successful look began; 0 before the start, when no look is expected.
    private let heard = Atomic<UInt64>(0)
    private let followers = Mutex(Followers())
    private let newestRecord = Mutex<Int64?>(nil)
    /// The reason why the last look failed; nil if it succeeded.
    private let failure = Mutex<String?>(nil)
    private let queue = DispatchQueue(label: "bellwether.store.feed")
    private let isDue = Atomic<Bool>(false)
    private let isClosed = Atomic<Bool>(false)

    /// - Parameter uptime: a monotonic time in nanoseconds.
    init(
        _ shared: (any SharedHeads)?, clock: Clock = .system,
        uptime: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }
    ) {
        (self.shared, self.uptime, journal) = (shared, uptime, ChangeJournal(clock))
        activity = Activity(clock)
    }

    /// Whether the process has read the heads within the last second. It is always true if no other process writes.
    public var isCurrent: Bool {
        guard shared != nil else { return true }
        let last = heard.load(ordering: .relaxed)
        return last == 0 || uptime() < last + Self.currentNanoseconds
    }

    /// The difference of the clocks; none if the store uses the process's clock.
    public var clockDifference: ClockDifference { shared?.clockDifference ?? .none }

    /// Whether other processes write to the store, too.
    public var isShared: Bool { shared != nil }

    /// Called after each commit that added records, with the apps concerned; nil if the apps are unknown. Set once.
    public func followRecords(_ follower: @escaping RecordFollower) { followers.withLock { $0.records = follower } }

    /// Called after each own commit of tallies of responses. The requests that changed the tallies get their response
    /// when the follower calls its completion. Set once.
    public func followTallies(_ follower: @escaping TallyFollower) { followers.withLock { $0.tallies = follower } }

    /// Called after each own commit that changed cells of goals, with the recipes concerned. Set once.
    public func followCells(_ follower: @escaping CellFollower) { followers.withLock { $0.cells = follower } }

    /// Called after each own erasure that changed lists. The erasure gets its response when the follower calls its
    /// completion. Set once.
    public func followLists(_ follower: @escaping ListFollower) { followers.withLock { $0.lists = follower } }

    /// Called at each look into a shared store.
    public func followHeads(_ follower: @escaping HeadFollower) { followers.withLock { $0.heads.append(follower) } }

    /// Begins to look at a shared store.
    public func start() {
        guard let shared else { return }
        heard.store(uptime(), ordering: .relaxed)
        shared.observe { [weak self] in self?.lookSoon() }
        lookAgain()
    }

    func close() { isClosed.store(true, ordering: .relaxed) }

    private func lookAgain() {
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.lookMilliseconds)) { [weak self] in
            guard let self, !isClosed.load(ordering: .relaxed) else { return }
            look()
            lookAgain()
        }
    }

    /// Looks once for all notifications that come before the look.
    private func lookSoon() {
        guard !isDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async { [weak self] in
            guard let self else { return }
            isDue.store(false, ordering: .releasing)
            look()
        }
    }

    /// Queries the heads, and informs the followers of changes. If a look fails, the next one informs them.
    public func look() {
        guard let shared else { return }
        let begin = uptime()
        let heads: StoreHeads
        do throws(StoreError) {
            heads = try shared.heads()
            failure.withLock { $0 = nil }
        } catch {
            return failure.withLock { $0 = error.reason }
        }
        let hasRecords = newestRecord.withLock { newest in
            defer { newest = heads.newestRecord }
            return newest != heads.newestRecord
        }
        let followers = followers.withLock { $0 }
        if hasRecords { followers.records?(nil) }
        let areRead = followers.heads.map { $0(heads) }
        if areRead.allSatisfy(\.self), heard.load(ordering: .relaxed) != 0 { heard.store(begin, ordering: .relaxed) }
    }

    /// The reason, for the log, why the process does not know the changes of others; nil if it knows them, or if no
    /// reason is known.
    public var reasonBehind: String? { isCurrent ? nil : failure.withLock { $0 } }

    func notify(records apps: Set<Identifier>) {
        guard !apps.isEmpty, let follower = followers.withLock({ $0.records }) else { return }
        follower(apps)
    }

    /// Informs the follower of the cells of goals that a commit changed.
    func notify(cells groups: [WriteGroup]) {
        var recipes: Set<RecipeReference> = []
        for group in groups {
            for row in group.rows where row.value != nil {
                if let recipe = row.name.recipeOfCell { recipes.insert(recipe) }
            }
        }
        guard !recipes.isEmpty, let follower = followers.withLock({ $0.cells }) else { return }
        follower(recipes)
    }

    /// Informs the follower of lists. `completion` is called after it has taken them over.
    func notifyLists(_ completion: @escaping @Sendable () -> Void) {
        guard let follower = followers.withLock({ $0.lists }) else { return completion() }
        follower(completion)
    }

    /// Informs the follower of tallies. `completion` is called after it has taken them over.
    func notify(_ tallies: [CommittedTally], _ completion: @escaping @Sendable () -> Void) {
        guard !tallies.isEmpty, let follower = followers.withLock({ $0.tallies }) else { return completion() }
        follower(tallies, completion)
    }
}

extension ChangeFeed {
    /// Connects the parts that a process holds in memory. Clients are not among them, because they are verified by
    /// their versions.
    ///
    /// - Parameter store: has the rows of the clients that have streams.
    public func connect(
        _ tail: TelemetryTail, _ publisher: Publisher, _ tokens: TokenRegister, _ store: any Store
    ) {
        followRecords { [journal] apps in
            tail.notify(apps)
            // The changes of other processes are not known in detail.
            if apps == nil { journal.note(.answers) }
        }
        publisher.follow(journal, seenEvents)
        followTallies { [publisher] in publisher.note($0, $1) }
        followLists { [publisher] in publisher.noteLists($0) }
        followHeads { [publisher] in publisher.catchUp(with: $0) }
        followHeads { [streams, store] _ in streams.look(into: store) }
        followHeads { [tokens] in tokens.catchUp(with: $0) }
    }
}
