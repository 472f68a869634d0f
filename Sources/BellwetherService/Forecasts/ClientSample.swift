public import BellwetherAuthoring
public import BellwetherBase
public import BellwetherCore
public import BellwetherJSON
internal import JEXL

/// The sample of an app's clients at one time.
public struct ClientSample: Sendable {
    /// A client that has not polled for more days is not in the sample.
    static let maximumDays = 7

    public let clients: [SampledClient]
    /// The number of clients that each of them stands for.
    public let weight: Double
    /// The number of whole days that the sample has lasted, at most a week.
    public let days: Int
    private let now: Timestamp

    /// - Parameter sample: nil if no client has polled.
    init(_ sample: AppSample?, at now: Timestamp) {
        clients = sample?.all ?? []
        weight = sample?.weight ?? 1
        let milliseconds = now.milliseconds - (sample?.began ?? now).milliseconds
        days = min(Self.maximumDays, max(0, Int(milliseconds / (1000 * Timestamp.secondsPerDay))))
        self.now = now
    }

    /// The oldest poll; nil if there is no client.
    public var since: Timestamp? { clients.map(\.at).min() }

    /// The clients of the sample that polled in the last days.
    func clients(days: Int) -> [SampledClient] {
        let start = now.adding(seconds: -Int64(days) * Timestamp.secondsPerDay)
        return clients.filter { $0.at >= start }
    }

    /// The number of the app's clients that polled in the last days; nil if the sample has not lasted as long, or has
    /// fewer clients than the minimum.
    public func count(days: Int, minimum: Int) -> Int? {
        guard days <= self.days else { return nil }
        let count = clients(days: days).count
        return count >= minimum ? Int(Double(count) * weight) : nil
    }
}

/// The rates of events, from which the size of an experiment is computed (docs/reference/goals.md#size).
extension ClientSample {
    /// The days before a window whose events are its covariate (docs/reference/goals.md#what-is-counted).
    private static let daysBefore = 28
    /// The clients that rates need.
    private static let minimumClients = 100

    /// How many events clients had in the whole days before their newest poll; nil if few clients had any, or all but
    /// few.
    ///
    /// - Parameters:
    ///   - events: the app's derived events.
    ///   - cap: the most that one client counts.
    ///   - minimum: the smallest number of clients that may be revealed. Of fewer clients with the largest counts, each
    ///     counts as the next smaller one.
    public func rates(
        of event: Identifier, in events: DerivedEvents, days: Int, cap: Int, minimum: Int
    ) -> GoalRates? {
        guard clients.count >= Self.minimumClients else { return nil }
        let counts = clients.map { client in
            let behavior = client.state.behavior
            func sum(_ days: Int, from start: Int) -> Double {
                let query = EventQuery(event: event, kind: .eventSum, interval: .days, count: days, start: start)
                return min(behavior.result(of: query, at: client.at, of: events), Double(cap))
            }
            // The first bucket is the running day.
            return (now: sum(days, from: 1), before: sum(Self.daysBefore, from: 1 + days))
        }
        let active = counts.count { $0.now > 0 }
        guard active > 0, ForecastShare.shownCounts(of: counts.count, minimum: minimum)?.contains(active) == true else {
            return nil
        }
        func largest(_ counts: [Double]) -> Double { counts.sorted(by: >)[min(counts.count, max(1, minimum)) - 1] }
        let bounds = (now: largest(counts.map(\.now)), before: largest(counts.map(\.before)))
        return GoalRates(counts.map { (now: min($0.now, bounds.now), before: min($0.before, bounds.before)) })
    }
}

/// A client of the sample, as it was after its newest poll.
public struct SampledClient: Sendable {
    /// The maximum bytes of a client's attributes. A poll may contain as much as a whole body; a client with more is
    /// left out.
    private static let contextBytes = 4096

    public let context: TargetingContext
    /// The time of the poll.
    public let at: Timestamp
    private let packed: [UInt8]
    let bytes: Int

    /// Nil if the attributes are too large.
    init?(_ context: TargetingContext, _ state: ClientState, at now: Timestamp) {
        let context = context.withoutIdentifiers
        guard let size = context.attributes.size(upTo: Self.contextBytes) else { return nil }
        (self.context, at) = (context, now)
        var sampled = ClientState()
        (sampled.behavior, sampled.enrollments, sampled.ledger) = (state.behavior, state.enrollments, state.ledger)
        packed = sampled.encoded()
        bytes = size + packed.count
    }

    func subject(withCounters: Bool) -> ForecastSubject {
        ForecastSubject(context, withCounters ? state.behavior : nil, at: at)
    }

    /// The event counters, the enrollments and the displays. The other parts are empty.
    public var state: ClientState { ClientState(encoded: packed) ?? ClientState() }
}

extension [String: JSONValue] {
    /// The approximate number of bytes; nil if it is more than the bound, where counting stops.
    fileprivate func size(upTo bytes: Int) -> Int? {
        var left = bytes
        for (name, value) in self {
            left -= name.utf8.count
            guard value.take(from: &left) else { return nil }
        }
        return left >= 0 ? bytes - left : nil
    }
}

extension JSONValue {
    fileprivate func take(from left: inout Int) -> Bool {
        // The bytes of a value without its content.
        left -= 16
        switch self {
        case .null, .bool, .integer, .unsigned, .number: break
        case .string(let text): left -= text.utf8.count
        case .array(let values):
            for value in values where !value.take(from: &left) { return false }
        case .object(let members):
            for (key, value) in members {
                left -= key.utf8.count
                guard value.take(from: &left) else { return false }
            }
        }
        return left >= 0
    }
}
