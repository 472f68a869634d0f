import BellwetherBase
import BellwetherClient
import BellwetherJSON
import Foundation
import Synchronization
import TestSupport
import Testing

/// The daemon of all tests here. Its telemetry has the behaviour events, too.
enum Daemons {
    private static let shared = Result {
        try Daemon(["--dev", "--workers", "2"], environment: ["BELLWETHER_TELEMETRY_BEHAVIOR": "true"])
    }

    static func daemon() throws -> Daemon { try shared.get() }
}

/// An app of one test at the daemon.
struct TestApp {
    let daemon: Daemon
    let name = "app-\(UUID().uuidString.lowercased())"

    static let manifest: JSONValue = [
        "app_name": "trails", "short_name": "Trails", "default_locale": "en", "surfaces": ["card", "microsurvey"],
        "attributes": ["plan": "string", "age": "number", "beta": "boolean", "tags": "array"],
        "messaging": ["triggers": ["VISITED": "'visit'|eventSum('Years', 4) >= 2", "PRO": "plan == 'pro'"]],
    ]

    init(manifest: JSONValue = TestApp.manifest) throws {
        daemon = try Daemons.daemon()
        let response = try daemon.put("\(path)/manifest", manifest)
        guard response.status == 201 else { throw Failure("no app: \(response.text)") }
    }

    var path: String { "/v1/apps/\(name)" }
    var address: URL {
        get throws { try #require(URL(string: "http://127.0.0.1:\(daemon.port)")) }
    }

    func publish(_ slug: String, _ recipe: JSONValue) throws {
        let response = try daemon.put("\(path)/recipes/\(slug)", recipe)
        guard response.status < 300 else { throw Failure("\(slug): \(response.text)") }
    }

    func bundle() throws -> [UInt8] { try daemon.get("\(path)/bundle").body }

    /// All records.
    func telemetry() throws -> [JSONValue] {
        var records: [JSONValue] = []
        var cursor = ""
        while true {
            let page = try daemon.get("\(path)/telemetry?limit=10000&after=\(cursor)")
            guard page.status == 200, let next = page.header("Bellwether-Next") else { throw Failure(page.text) }
            if next == cursor || page.lines.isEmpty { return records }
            records += page.lines
            cursor = next
        }
    }

    /// The number of records of each behaviour event.
    func behavior() throws -> [String: Int] {
        try telemetry().filter { $0["category"] == "behavior" }.reduce(into: [:]) { counts, record in
            counts[record["name"].string ?? "?", default: 0] += Int(record["extra"]["count"].integer ?? 1)
        }
    }

    var transport: URLSessionTransport {
        get throws { URLSessionTransport(address: try address, app: name, patience: longestWait) }
    }

    /// A client over URLSession that sends only when it is asked to.
    func client(
        folder: TemporaryDirectory, _ change: (inout ClientConfiguration) -> Void = { _ in },
        clock: TestClock = TestClock()
    ) throws -> BellwetherClient {
        BellwetherClient(
            configuration(change), transport: try transport,
            storage: try FileStorage(folder: URL(fileURLWithPath: folder.path)), clock: { clock.now })
    }

    func configuration(_ change: (inout ClientConfiguration) -> Void = { _ in }) -> ClientConfiguration {
        var configuration = ClientConfiguration()
        configuration.flushSeconds = nil
        change(&configuration)
        return configuration
    }
}

/// A clock that tests set. It starts at the system's time.
final class TestClock: Sendable {
    private let offset = Mutex<Int64>(0)

    var now: Timestamp {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000) + offset.withLock { $0 })
    }

    func move(seconds: Int64) { offset.withLock { $0 += seconds * 1000 } }
}

/// A network that tests turn off, in front of another transport.
final class SwitchedTransport: Transport {
    private let transport: any Transport
    private let state = Mutex((isOn: true, losesResponses: false))

    init(_ transport: any Transport) { self.transport = transport }

    var isOn: Bool {
        get { state.withLock { $0.isOn } }
        set { state.withLock { $0.isOn = newValue } }
    }

    /// Whether requests reach the daemon, and their responses are lost.
    var losesResponses: Bool {
        get { state.withLock { $0.losesResponses } }
        set { state.withLock { $0.losesResponses = newValue } }
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard isOn else { throw Failure("no network") }
        let response = try await transport.send(request)
        guard !losesResponses else { throw Failure("the response is lost") }
        return response
    }
}

/// A transport that answers by a function, and keeps what was sent.
final class ScriptedTransport: Transport {
    private let sent = Mutex<[TransportRequest]>([])
    private let script: @Sendable (TransportRequest) -> TransportResponse

    init(_ script: @escaping @Sendable (TransportRequest) -> TransportResponse) { self.script = script }

    var requests: [TransportRequest] { sent.withLock { $0 } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        sent.withLock { $0.append(request) }
        return script(request)
    }
}

/// A network that accepts each request, but answers none until it is released.
final class HeldTransport: Transport {
    private struct State {
        var paths: [String] = []
        var (inFlight, mostAtOnce) = (0, 0)
        var isReleased = false
        var held: [CheckedContinuation<Void, Never>] = []
        var observers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var paths: [String] { state.withLock { $0.paths } }
    var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let observers = state.withLock { state in
            state.paths.append(request.path)
            state.inFlight += 1
            state.mostAtOnce = max(state.mostAtOnce, state.inFlight)
            defer { state.observers = [] }
            return state.observers
        }
        for observer in observers { observer.resume() }
        await withCheckedContinuation { continuation in
            let isReleased = state.withLock { state in
                if !state.isReleased { state.held.append(continuation) }
                return state.isReleased
            }
            if isReleased { continuation.resume() }
        }
        state.withLock { $0.inFlight -= 1 }
        return TransportResponse(status: 200, body: Array("{}".utf8))
    }

    /// Returns when the first request is here.
    func untilAsked() async {
        await withCheckedContinuation { continuation in
            let isAsked = state.withLock { state in
                if state.paths.isEmpty { state.observers.append(continuation) }
                return !state.paths.isEmpty
            }
            if isAsked { continuation.resume() }
        }
    }

    /// Answers all requests, also those that come.
    func release() {
        let held = state.withLock { state in
            state.isReleased = true
            defer { state.held = [] }
            return state.held
        }
        for request in held { request.resume() }
    }
}

/// A disk that tests fill: every change fails.
struct FullStorage: Storage {
    private var files: FileStorage
    private let disk: Disk

    final class Disk: Sendable {
        private let full = Mutex(false)
        var isFull: Bool {
            get { full.withLock { $0 } }
            set { full.withLock { $0 = newValue } }
        }
    }

    init(_ files: FileStorage, _ disk: Disk) { (self.files, self.disk) = (files, disk) }

    private func check() throws { if disk.isFull { throw Failure("the disk is full") } }

    func read(_ name: String) throws -> [UInt8]? { try files.read(name) }
    func size(of name: String) throws -> Int { try files.size(of: name) }
    func names() throws -> [String] { try files.names() }
    mutating func replace(_ name: String, with content: [UInt8], isDurable: Bool) throws {
        try check()
        try files.replace(name, with: content, isDurable: isDurable)
    }
    mutating func append(_ lines: [UInt8], to name: String, isDurable: Bool) throws {
        try check()
        try files.append(lines, to: name, isDurable: isDurable)
    }
    mutating func remove(_ name: String) throws { try files.remove(name) }
    mutating func beginExclusive() throws { try files.beginExclusive() }
    mutating func endExclusive() { files.endExclusive() }
}

extension BellwetherClient {
    /// Sends what waits until nothing does.
    func flushAll() async throws {
        for _ in 0..<1000 {
            await flush()
            if status.waiting == 0 { return }
        }
        throw Failure("\(status)")
    }
}
