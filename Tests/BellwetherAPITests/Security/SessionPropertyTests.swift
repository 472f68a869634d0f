import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI

/// Two daemons' workers over one store accept a session exactly as long as a simple model does, whichever worker gets
/// each request (docs/reference/http-api.md#sessions).
@Suite struct SessionPropertyTests {
    @Test(arguments: 0..<Trials.count(3, many: 12) as Range<UInt64>)
    func `Sessions live as long as the model says`(_ seed: UInt64) async throws {
        var world = try SessionWorld(seed: seed, .right)
        #expect(try await world.run() == nil)
        #expect(world.refused > 0 && world.accepted > 0, "the test tests nothing")
    }

    /// At least one seed finds each fault.
    @Test(arguments: SessionWorld.Fault.allCases.filter { $0 != .right })
    func `A fault is found`(_ fault: SessionWorld.Fault) async throws {
        for seed in 0..<60 as Range<UInt64> {
            var world = try SessionWorld(seed: seed, fault)
            if try await world.run() != nil { return }
        }
        Issue.record("no seed finds it")
    }
}

/// The workers, and the state of the model.
struct SessionWorld {
    enum Fault: CaseIterable { case right, idlesLonger, livesLonger, holdsMore, isDeaf }

    private struct Known {
        let cookie: String
        let token: String
        let began: Int64
        var last: Int64
        var isEnded = false
    }

    private static let root: SessionTests.Headers = [("Authorization", "Bearer root")]
    /// Small limits, so that random steps reach them.
    private static let livingBound = 3
    /// As many as of all tokens: a smaller bound ends sessions before they are old enough for the fault of lifetimes.
    private static let livingBoundOfParent = 3
    private static let (idle, lifetime) = (Int64(1800), Int64(3600))

    private let nodes: [WorkerUnderTest]
    private let fault: Fault
    private var random: SeededGenerator
    private var now: Int64 = 0
    private var sessions: [Known] = []
    /// The texts of tokens by name. Revoked tokens stay in the table, so that they are tried again.
    private var tokens: [String: String] = [:]
    private var living: Set<String> = []
    private(set) var (accepted, refused) = (0, 0)

    init(seed: UInt64, _ fault: Fault) throws {
        var rules = SessionRules()
        rules.livingBound = Self.livingBound + (fault == .holdsMore ? 1 : 0)
        rules.livingBoundOfParent = Self.livingBoundOfParent
        rules.idleSeconds = Self.idle + (fault == .idlesLonger ? 600 : 0)
        rules.lifetimeSeconds = Self.lifetime + (fault == .livesLonger ? 600 : 0)
        var settings = APISettings()
        settings.tokens = TokenTable([
            try Token("root:admin:*:\(Digest.hex(Token.digest(of: Array("root".utf8))))")
        ])
        let store = TestStore(sharing: .asked)
        nodes = try (0..<2).map { [settings, rules] _ in
            try WorkerUnderTest(over: store, settings: settings, sessions: rules)
        }
        (self.fault, random) = (fault, SeededGenerator(seed: seed))
    }

    /// The first difference between a node and the model.
    mutating func run() async throws -> String? {
        for step in 0..<120 {
            if let difference = try await stepOn() { return "step \(step): \(difference)" }
            for (place, node) in nodes.enumerated() where fault != .isDeaf || place == 0 { await node.hear() }
        }
        return nil
    }

    private mutating func stepOn() async throws -> String? {
        let node = nodes[Int.random(in: 0...1, using: &random)]
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: return try signIn(at: node)
        case 2...5: return try use(at: node)
        case 6: return try signOut(at: node)
        case 7: return try changeToken(at: node)
        default:
            passTime()
            return nil
        }
    }

    private mutating func signIn(at node: WorkerUnderTest) throws -> String? {
        guard let name = tokens.keys.sorted().randomElement(using: &random), let text = tokens[name] else { return nil }
        let answer = try node.send(.post, "/v1/session", headers: SessionTests.own, body: ["token": .string(text)])
        guard living.contains(name) == (answer.status == 201) else { return "signing in: \(answer.status)" }
        guard answer.status == 201 else { return nil }
        let standing = sessions.indices.filter { isLiving(sessions[$0]) }
        let own = standing.filter { sessions[$0].token == name }.dropLast(Self.livingBoundOfParent - 1)
        let rest = standing.filter { !own.contains($0) }
        for place in own + rest.dropLast(Self.livingBound - 1) { sessions[place].isEnded = true }
        sessions.append(Known(cookie: try SessionTests.cookie(of: answer), token: name, began: now, last: now))
        return nil
    }

    private func isLiving(_ session: Known) -> Bool {
        !session.isEnded && now - session.last < Self.idle && now - session.began < Self.lifetime
    }

    private func ask(_ method: HTTPMethod, _ session: Known, at node: WorkerUnderTest) throws -> Int {
        let headers = SessionTests.own + [(name: "Cookie", value: session.cookie)]
        return try node.send(method, "/v1/session", headers: headers).status
    }

    private mutating func use(at node: WorkerUnderTest) throws -> String? {
        guard let place = sessions.indices.suffix(6).randomElement(using: &random) else { return nil }
        let status = try ask(.get, sessions[place], at: node)
        let wanted = isLiving(sessions[place])
        if wanted { accepted += 1 } else { refused += 1 }
        if wanted { sessions[place].last = now }
        return status == (wanted ? 200 : 401) ? nil : "session \(place), living \(wanted): \(status)"
    }

    private mutating func signOut(at node: WorkerUnderTest) throws -> String? {
        guard let place = sessions.indices.suffix(6).randomElement(using: &random) else { return nil }
        let status = try ask(.delete, sessions[place], at: node)
        let wanted = isLiving(sessions[place])
        sessions[place].isEnded = true
        return status == (wanted ? 204 : 401) ? nil : "signing out of \(place), living \(wanted): \(status)"
    }

    /// Creates a token, or revokes it with its sessions.
    private mutating func changeToken(at node: WorkerUnderTest) throws -> String? {
        let name = "t\(Int.random(in: 0..<3, using: &random))"
        guard living.contains(name) else {
            let body: JSONValue = ["name": .string(name), "scope": "owner", "app": "*"]
            let answer = try node.send(.post, "/v1/tokens", headers: Self.root, body: body)
            guard answer.status == 201, let text = answer.json["token"].string else { return "made: \(answer.status)" }
            tokens[name] = text
            living.insert(name)
            return nil
        }
        let status = try node.send(.delete, "/v1/tokens/\(name)", headers: Self.root).status
        living.remove(name)
        for place in sessions.indices where sessions[place].token == name { sessions[place].isEnded = true }
        return status == 204 ? nil : "revoked: \(status)"
    }

    /// Moves the clock, except into the minute in which one node need not know yet about the other's requests.
    private mutating func passTime() {
        var seconds: Int64 = [1, 45, 60, 600, 1500, 1741, 5000].randomElement(using: &random) ?? 1
        let unsure = Self.idle...(Self.idle + 60)
        while sessions.contains(where: { !$0.isEnded && unsure.contains(now + seconds - $0.last) }) { seconds += 61 }
        now += seconds
        for node in nodes { node.pass(seconds: seconds) }
    }
}
