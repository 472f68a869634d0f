import BellwetherBase
import BellwetherJSON
import BellwetherService
import HTTPWire
import StoreSupport
import TestSupport
import Testing

@testable import BellwetherAPI

/// Two daemons' workers over one store let people in exactly as a simple model does, whichever worker gets each request
/// (docs/reference/http-api.md#accounts).
@Suite struct AccountPropertyTests {
    @Test func `People may do what the model says`() async throws {
        var (accepted, refused) = (0, 0)
        for seed in 0..<Trials.count(4, many: 20) as Range<UInt64> {
            var world = try AccountWorld(seed: seed, .right)
            #expect(try await world.run() == nil, "seed \(seed)")
            (accepted, refused) = (accepted + world.accepted, refused + world.refused)
        }
        #expect(accepted > 0 && refused > 0, "the test tests nothing")
    }

    /// At least one seed finds each fault.
    @Test(arguments: AccountWorld.Fault.allCases.filter { $0 != .right })
    func `A fault is found`(_ fault: AccountWorld.Fault) async throws {
        for seed in 0..<20 as Range<UInt64> {
            var world = try AccountWorld(seed: seed, fault)
            if try await world.run() != nil { return }
        }
        Issue.record("no seed finds it")
    }

    /// Both nodes get the same link at once: one of the requests is let in.
    @Test func `Of requests with one link at the same time one is let in`() async throws {
        for _ in 0..<5 {
            let (registers, _) = try Self.registers()
            let link = try #require(await Self.add("ben", Roles(.reader, app: "*"), at: registers[0]))
            let outcomes = await Self.atOnce(8) { place in
                let digest = Token.digest(of: link.text.utf8)
                return await withCheckedContinuation { done in
                    registers[place % 2].signIn(link: digest, id: Identifier("s\(place)")) {
                        done.resume(returning: $0)
                    }
                }
            }
            #expect(outcomes.count { if case .success = $0 { true } else { false } } == 1)
        }
    }

    /// Both nodes are asked to remove one of two administrators, each another one.
    @Test func `Administrators who are removed at the same time leave one`() async throws {
        for _ in 0..<5 {
            let (registers, store) = try Self.registers()
            let names: [Identifier] = ["ann", "ben"]
            for name in names { _ = await Self.add(name, Roles(.admin, app: "*"), at: registers[0]) }
            let outcomes: [TokenRefusal?] = await Self.atOnce(2) { place in
                await withCheckedContinuation { done in
                    let request = AccountRequest(name: names[place], author: "test")
                    registers[place].remove(request) { done.resume(returning: $0) }
                }
            }
            #expect(outcomes.count { $0 == nil } == 1)
            #expect(outcomes.contains(.lastAdministrator))
            let living = try store.loadTokens().tokens.filter { $0.account != nil && $0.revokedAt == nil }
            #expect(living.count == 1)
        }
    }

    private static func registers() throws -> ([TokenRegister], TestStore) {
        let store = TestStore(sharing: .asked)
        let nodes = try (0..<2).map { _ in try WorkerUnderTest(over: store, settings: APISettings()) }
        return (nodes.map(\.tokens), store)
    }

    private static func add(_ name: Identifier, _ roles: Roles, at register: TokenRegister) async -> IssuedToken? {
        await withCheckedContinuation { done in
            register.add(AccountRequest(name: name, author: "test"), roles: roles) {
                done.resume(returning: try? $0.get())
            }
        }
    }

    private static func atOnce<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) async -> Value
    ) async -> [Value] {
        await withTaskGroup(of: Value.self) { group in
            for place in 0..<count { group.addTask { await body(place) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}

/// The workers, and the state of the model.
struct AccountWorld {
    enum Fault: CaseIterable { case right, usesLinksTwice, keepsRoles, keepsRemoved, livesLonger, isDeaf }

    private struct Link {
        let text: String
        let person: Int
        let made: Int64
        var isOver = false
    }

    private struct Session {
        let cookie: String
        let person: Int
    }

    private struct Person {
        let name: String
        var scope: Scope
        var isRemoved = false
    }

    private static let root: SessionTests.Headers = [("Authorization", "Bearer root")]
    private static let linkSeconds: Int64 = 600

    private let nodes: [WorkerUnderTest]
    private let fault: Fault
    private var random: SeededGenerator
    private var now: Int64 = 0
    private var people: [Person] = []
    private var links: [Link] = []
    private var sessions: [Session] = []
    private(set) var (accepted, refused) = (0, 0)

    init(seed: UInt64, _ fault: Fault) throws {
        var rules = SessionRules()
        (rules.linkSeconds, rules.idleSeconds) = (Self.linkSeconds + (fault == .livesLonger ? 300 : 0), 1 << 40)
        (rules.lifetimeSeconds, rules.livingBoundOfParent) = (1 << 40, 1000)
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
        for step in 0..<150 {
            if let difference = try stepOn() { return "step \(step): \(difference)" }
            for (place, node) in nodes.enumerated() where fault != .isDeaf || place == 0 { await node.hear() }
        }
        return nil
    }

    private mutating func stepOn() throws -> String? {
        let node = nodes[Int.random(in: 0...1, using: &random)]
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return try add(at: node)
        case 1, 2: return try makeLink(at: node)
        case 3, 4: return try signIn(at: node)
        case 5, 6: return try change(at: node)
        case 7: return try remove(at: node)
        case 8:
            let seconds: Int64 = [100, Self.linkSeconds - 1, Self.linkSeconds].randomElement(using: &random) ?? 1
            now += seconds
            for node in nodes { node.pass(seconds: seconds) }
            return nil
        default: return try use(at: node)
        }
    }

    private func send(
        _ method: HTTPMethod, _ target: String, _ body: JSONValue? = nil, at node: WorkerUnderTest
    ) throws -> RecordedResponse {
        try node.send(method, target, headers: Self.root, body: body)
    }

    private mutating func scope() -> Scope {
        [Scope.reader, .owner, .support].randomElement(using: &random) ?? .reader
    }

    private mutating func add(at node: WorkerUnderTest) throws -> String? {
        let person = Person(name: "p\(people.count)", scope: scope())
        let body: JSONValue = ["name": .string(person.name), "roles": ["*": .string(person.scope.rawValue)]]
        let answer = try send(.post, "/v1/accounts", body, at: node)
        guard answer.status == 201 else { return "added: \(answer.status)" }
        people.append(person)
        keep(answer, of: people.count - 1)
        return nil
    }

    private mutating func keep(_ answer: RecordedResponse, of person: Int) {
        let text = answer.json["link"].string?.split(separator: "=").last.map(String.init) ?? ""
        links.append(Link(text: text, person: person, made: now))
    }

    private mutating func makeLink(at node: WorkerUnderTest) throws -> String? {
        guard let person = people.indices.randomElement(using: &random) else { return nil }
        let answer = try send(.post, "/v1/accounts/\(people[person].name)/link", at: node)
        let wanted = people[person].isRemoved ? 404 : 201
        guard answer.status == wanted else { return "made a link: \(answer.status)" }
        guard wanted == 201 else { return nil }
        if fault != .usesLinksTwice { endLinks(of: person) }
        keep(answer, of: person)
        return nil
    }

    private mutating func endLinks(of person: Int) {
        for place in links.indices where links[place].person == person { links[place].isOver = true }
    }

    private mutating func signIn(at node: WorkerUnderTest) throws -> String? {
        guard let place = links.indices.suffix(4).randomElement(using: &random) else { return nil }
        let link = links[place]
        let answer = try node.send(
            .post, "/v1/session", headers: SessionTests.own, body: ["link": .string(link.text)])
        let isValid = !link.isOver && now - link.made < Self.linkSeconds && !people[link.person].isRemoved
        guard answer.status == (isValid ? 201 : 401) else { return "link, valid \(isValid): \(answer.status)" }
        guard isValid else { return nil }
        links[place].isOver = true
        sessions.append(Session(cookie: try SessionTests.cookie(of: answer), person: link.person))
        return nil
    }

    private mutating func change(at node: WorkerUnderTest) throws -> String? {
        guard let person = people.indices.randomElement(using: &random) else { return nil }
        let scope = scope()
        let body: JSONValue = ["roles": ["*": .string(scope.rawValue)]]
        let status = try send(.put, "/v1/accounts/\(people[person].name)", body, at: node).status
        guard status == (people[person].isRemoved ? 404 : 200) else { return "changed: \(status)" }
        if fault != .keepsRoles { people[person].scope = scope }
        return nil
    }

    private mutating func remove(at node: WorkerUnderTest) throws -> String? {
        guard let person = people.indices.randomElement(using: &random) else { return nil }
        let status = try send(.delete, "/v1/accounts/\(people[person].name)", at: node).status
        guard status == (people[person].isRemoved ? 404 : 204) else { return "removed: \(status)" }
        if fault != .keepsRemoved { people[person].isRemoved = true }
        return nil
    }

    private mutating func use(at node: WorkerUnderTest) throws -> String? {
        guard let session = sessions.suffix(6).randomElement(using: &random) else { return nil }
        let headers = SessionTests.own + [(name: "Cookie", value: session.cookie)]
        let answer = try node.send(.get, "/v1/session", headers: headers)
        let person = people[session.person]
        if person.isRemoved { refused += 1 } else { accepted += 1 }
        guard answer.status == (person.isRemoved ? 401 : 200) else { return "session: \(answer.status)" }
        guard person.isRemoved || answer.json["scope"].string == person.scope.rawValue else {
            return "scope: \(answer.json["scope"].text)"
        }
        return nil
    }
}
