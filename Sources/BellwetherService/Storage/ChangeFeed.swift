internal import Dispatch
internal import Synchronization

/// What several processes move in one store, and how a process hears of it.
public protocol SharedHeads: Sendable {
    /// Blocks; asked several times a second.
    func heads() throws(StoreError) -> StoreHeads

    /// As it was measured last; never any I/O.
    var clockDifference: ClockDifference { get }

    /// Calls the observer soon after something has moved, on any thread. A store that cannot tell never calls it.
    func observe(_ observer: @escaping @Sendable () -> Void)
}

/// What was moved last in a store.
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

/// What has moved in the store: the one source from which a process hears of it
/// (docs/decisions/0079-what-a-process-holds-in-memory-follows-one-change-feed.md).
///
/// The process' own commits are told at once. What others commit is told where the store is shared: within
/// `lookMilliseconds`, or sooner where the store tells. Followers are called on any thread. Where others' changes are
/// told, they may block for a read.
public final class ChangeFeed: Sendable {
    /// Two looks fit into the second in which every process has to know.
    public static let lookMilliseconds = 400

    public typealias RecordFollower = @Sendable (_ apps: Set<String>?) -> Void
    public typealias TallyFollower =
        @Sendable (
            _ tallies: [CommittedTally], _ told: @escaping @Sendable () -> Void
        ) -> Void
    public typealias HeadFollower = @Sendable (StoreHeads) -> Void

    /// In a structure: a lock around a bare function wraps the function once more at each access, and a call of it goes
    /// through all the wrappers.
    private struct Followers {
        var records: RecordFollower?
        var tallies: TallyFollower?
        var heads: [HeadFollower] = []
    }

    /// What has not been heard for longer is not known any more, in nanoseconds
    /// (docs/reference/http-api.md#several-nodes).
    private static let currentNanoseconds: UInt64 = 1_000_000_000

    /// What has changed of each app, for owners.
    public let journal: ChangeJournal
    /// What has happened to each app's recipes, for owners.
    public let activity: Activity
    private let shared: (any SharedHeads)?
    private let uptime: @Sendable () -> UInt64
    /// When the last look began that was answered; 0 before the start, until which nothing is expected.
    private let heard = Atomic<UInt64>(0)
    private let followers = Mutex(Followers())
    private let newestRecord = Mutex<Int64?>(nil)
    private let queue = DispatchQueue(label: "bellwether.store.feed")
    private let isDue = Atomic<Bool>(false)
    private let isClosed = Atomic<Bool>(false)

    /// - Parameter uptime: nanoseconds that only grow.
    init(
        _ shared: (any SharedHeads)?, clock: Clock = .system,
        uptime: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }
    ) {
        (self.shared, self.uptime, journal) = (shared, uptime, ChangeJournal(clock))
        activity = Activity(clock)
    }

    /// Whether the process knows what others had moved a second ago. It always does where nobody else writes.
    public var isCurrent: Bool {
        guard shared != nil else { return true }
        let last = heard.load(ordering: .relaxed)
        return last == 0 || uptime() < last + Self.currentNanoseconds
    }

    /// Nothing where the store's clock is the process'.
    public var clockDifference: ClockDifference { shared?.clockDifference ?? .none }

    /// Whether others write to the store, too.
    public var isShared: Bool { shared != nil }

    /// Called after each commit that added records, with the apps concerned; nil: it is not known which. Set once.
    public func followRecords(_ follower: @escaping RecordFollower) { followers.withLock { $0.records = follower } }

    /// Called after each own commit of tallies of responses. The requests that have changed them are answered when the
    /// follower calls `told`. Set once.
    public func followTallies(_ follower: @escaping TallyFollower) { followers.withLock { $0.tallies = follower } }

    /// Called at each look at a shared store.
    public func followHeads(_ follower: @escaping HeadFollower) { followers.withLock { $0.heads.append(follower) } }

    /// Looks at a shared store from now on.
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

    /// However often it is told meanwhile, it looks once.
    private func lookSoon() {
        guard !isDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async { [weak self] in
            guard let self else { return }
            isDue.store(false, ordering: .releasing)
            look()
        }
    }

    /// Asks what others have moved, and tells of it. A look that fails tells nothing: the next one does.
    public func look() {
        let begin = uptime()
        guard let heads = try? shared?.heads() else { return }
        if heard.load(ordering: .relaxed) != 0 { heard.store(begin, ordering: .relaxed) }
        let hasRecords = newestRecord.withLock { newest in
            defer { newest = heads.newestRecord }
            return newest != heads.newestRecord
        }
        let followers = followers.withLock { $0 }
        if hasRecords { followers.records?(nil) }
        for follower in followers.heads { follower(heads) }
    }

    func tell(records apps: Set<String>) {
        guard !apps.isEmpty, let follower = followers.withLock({ $0.records }) else { return }
        follower(apps)
    }

    /// `told` is called once everybody knows the tallies.
    func tell(_ tallies: [CommittedTally], _ told: @escaping @Sendable () -> Void) {
        guard !tallies.isEmpty, let follower = followers.withLock({ $0.tallies }) else { return told() }
        follower(tallies, told)
    }
}

extension ChangeFeed {
    /// Connects what a process holds in memory beside clients, which are read by their versions.
    public func connect(_ tail: TelemetryTail, _ publisher: Publisher, _ tokens: TokenRegister) {
        followRecords { [journal] apps in
            tail.notify(apps)
            // Of what others have committed nothing more is known.
            if apps == nil { journal.note(.answers) }
        }
        publisher.follow(journal)
        followTallies { [publisher] in publisher.note($0, $1) }
        followHeads { [publisher] in publisher.catchUp(with: $0) }
        followHeads { [tokens] in tokens.catchUp(with: $0) }
    }
}
