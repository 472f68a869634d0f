import BellwetherBase
import BellwetherCore
import BellwetherJSON
import JEXL
import TestSupport
import Testing

@testable import BellwetherService

/// The daemon's clock steps by seconds to decades, forward and back, and clients send events with any dates. No counter
/// breaks, no cap is exceeded, and no client changes its branch.
struct ClockStepTests {
    @Test(arguments: 0..<40 as Range<UInt64>)
    func aClientsLifeIsAsANaiveOneCountsIt(_ seed: UInt64) throws {
        var life = SteppingLife(seed: seed)
        for _ in 0..<80 { try life.liveOn() }
        #expect(life.steps.back > 0 && life.steps.forward > 0, "the test tests nothing")
    }

    /// The limits of a nanosecond clock, and values beyond them.
    @Test(arguments: [Int64.min, Int64.min / 1_000_000, -1, 0, Int64.max / 1_000_000, Int64.max])
    func theEndsOfTimeAreInstantsToo(_ milliseconds: Int64) throws {
        var life = SteppingLife(seed: 1)
        for _ in 0..<10 { try life.liveOn() }
        for instant in [Timestamp(milliseconds: milliseconds), Scene.start] {
            life.step(to: instant)
            for _ in 0..<10 { try life.actOnce() }
        }
    }
}

/// A client and a daemon whose clocks are wrong, and the counts of a naive model.
private struct SteppingLife {
    private static let cap = 3
    private static let recipes: KeyValuePairs<String, JSONValue> = [
        "e": NimbusRecipe.experiment(
            "e", ["one": NimbusRecipe.survey("s", ["text": "1"]), "two": NimbusRecipe.survey("s", ["text": "2"])]),
        "card": [
            "styles": ["CAPPED": ["max-display-count": .integer(Int64(cap))]],
            "messages": ["card": ["surface": "new-tab-card", "text": "t", "style": "CAPPED"]],
        ],
    ]

    private var scene = Scene(recipes: recipes)
    private var random: SeededGenerator
    private var naive = NaiveCounters()
    private var ids: Set<String> = []
    private var displays = 0
    private var branch: Identifier?
    private var hasAnswered = false
    private(set) var steps = (forward: 0, back: 0)

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func liveOn() throws {
        let units: [Int64] = [1, 60, 3600, 86_400, 90 * 86_400, 365 * 86_400, 20 * 365 * 86_400]
        let seconds = Int64.random(in: -3...3, using: &random) * units[Int.random(in: 0..<units.count, using: &random)]
        // The years 1900 to 2250.
        let next = scene.now.adding(seconds: seconds).seconds
        step(to: Timestamp(seconds: min(max(next, -2_208_988_800), 8_835_984_000)))
        try actOnce()
    }

    mutating func step(to instant: Timestamp) {
        if instant > scene.now { steps.forward += 1 }
        if instant < scene.now { steps.back += 1 }
        scene.now = instant
    }

    mutating func actOnce() throws {
        let before = scene.log.count
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: try visit()
        case 2: try display()
        case 3: try answer()
        default: try poll()
        }
        let oldest = scene.now.adding(seconds: -scene.policy.dedupSeconds)
        for record in scene.log[before...] {
            #expect(record.at >= oldest && record.at <= scene.now.adding(seconds: 300), "\(record)")
        }
        let state = scene.state.encoded()
        #expect(ClientState(encoded: state)?.encoded() == state)
        try compareCounters()
    }

    /// An event with random fields: its id may be used already, and its time may be any.
    private mutating func dated(_ event: JSONObject) -> (event: JSONValue, at: Timestamp?, isCounted: Bool) {
        var event = event
        let spans: [Int64] = [0, 299, 301, 3600, 86_400, 89 * 86_400, 91 * 86_400, 40 * 365 * 86_400]
        let span = spans[Int.random(in: 0..<spans.count, using: &random)]
        let isDated = Bool.random(using: &random)
        let offset = Bool.random(using: &random) ? span : -span
        let at = isDated ? Timestamp(rfc3339: scene.now.adding(seconds: offset).rfc3339) : nil
        if let at { event["at"] = .string(at.rfc3339) }
        let id: Identifier = "\(Int.random(in: 0..<40, using: &random))"
        event["id"] = .string(id)
        let isInTime = at == nil || offset <= 300 && offset >= -scene.policy.dedupSeconds
        let isCounted = isInTime && ids.insert(id.text).inserted
        return (.object(event), at, isCounted)
    }

    private mutating func visit() throws {
        let count = Int64.random(in: 1...3, using: &random)
        let (event, at, isCounted) = dated(["type": "behavior", "name": "visit", "count": .integer(count)])
        #expect(try scene.report(event).accepted == (isCounted ? 1 : 0))
        guard isCounted else { return }
        let isPast = at.map { $0 < scene.now.adding(seconds: -300) } ?? false
        naive.record(UInt64(count), at: isPast ? at : nil, now: scene.now)
    }

    private mutating func display() throws {
        let (event, _, isCounted) = dated(["type": "message", "action": "displayed", "message": "card"])
        #expect(try scene.report(event).accepted == (isCounted ? 1 : 0))
        if isCounted { displays += 1 }
        #expect(scene.state.ledger["card"].displayCount == displays)
    }

    private mutating func answer() throws {
        guard case .stored = try scene.answer("s", "0") else {
            #expect(hasAnswered)
            return
        }
        #expect(!hasAnswered)
        hasAnswered = true
    }

    private mutating func poll() throws {
        #expect(try scene.next("new-tab-card") == (displays < Self.cap ? "card" : nil))
        #expect(try scene.next("microsurvey") == (hasAnswered ? nil : "s"))
        let app = try #require(scene.snapshot)
        let current = try #require(ClientMessages(app, scene.state).facts(of: "s")?.enrollment?.branch)
        #expect(current == branch ?? current)
        branch = current
        #expect(scene.log.filter { $0.category == "nimbus_events" && $0.name.text.hasSuffix("enrollment") }.count == 1)
    }

    private func compareCounters() throws {
        let context = try scene.question([]).query.context
        let environment = TriggerEnvironment(
            context: context, clientID: nil, behavior: scene.state.behavior, branches: .none, now: scene.now)
        for interval in NaiveCounters.intervals {
            let query = "'visit'|eventSum('\(interval.name)', \(interval.capacity), 0)"
            #expect(try evaluate(query, in: environment) == .number(naive.sum(interval, at: scene.now)), "\(query)")
        }
    }
}

/// A naive model: it keeps each event, in minutes since the start of the first event's year. Its time only goes forward
/// (docs/reference/events.md#counters-and-intervals).
private struct NaiveCounters {
    typealias Interval = (name: String, minutes: Int64, capacity: Int64)
    static let intervals: [Interval] = [
        ("Minutes", 1, 60), ("Hours", 60, 72), ("Days", 1440, 56), ("Weeks", 10_080, 52), ("Months", 40_320, 12),
        ("Years", 525_600, 4),
    ]

    private var origin: Int64?
    private var reached: Int64 = 0
    private var events: [(minute: Int64, count: UInt64)] = []

    mutating func record(_ count: UInt64, at then: Timestamp?, now: Timestamp) {
        let startOfYear = Timestamp(rfc3339: "\(now.rfc3339.prefix(4))-01-01T00:00:00Z")
        let origin = self.origin ?? Self.minute(startOfYear ?? now)
        self.origin = origin
        reached = max(reached, Self.minute(now) - origin)
        // An instant exactly at the start of a minute counts for the minute before.
        events.append((then.map { Self.minute($0.adding(milliseconds: -1)) - origin } ?? reached, count))
    }

    func sum(_ interval: Interval, at now: Timestamp) -> Double {
        guard let origin else { return 0 }
        let current = max(reached, Self.minute(now) - origin)
        let counted = events.filter {
            Self.floor(current, interval.minutes) - Self.floor($0.minute, interval.minutes) < interval.capacity
        }
        return Double(counted.reduce(0) { $0 + $1.count })
    }

    private static func minute(_ time: Timestamp) -> Int64 { floor(time.milliseconds, 60_000) }

    private static func floor(_ value: Int64, _ unit: Int64) -> Int64 {
        value / unit - (value % unit < 0 ? 1 : 0)
    }
}
