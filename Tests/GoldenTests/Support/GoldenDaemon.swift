import BellwetherAPI
import BellwetherBase
import BellwetherCore
import BellwetherService
import HTTPWire
import Logging
import SQLiteStore
import Synchronization
import TestSupport

/// A daemon without sockets: two workers over one store, which respond on this thread. The test sets its clock, and its
/// secret is fixed, so that the same requests get the same bytes. Recordings depend on nothing else in the program.
final class GoldenDaemon {
    private static let secret = Array("golden".utf8)
    private let open: () throws -> any Store
    private let shared = Shared()
    private let parking = InProcessParking()
    private var parts: Parts?

    /// The state that other threads read and write.
    private final class Shared: Sendable {
        let now = Mutex(Timestamp(seconds: 0))
        /// Snapshots that the workers have not received yet, each with its acknowledgement.
        let publications = Mutex<[(Snapshot, @Sendable () -> Void)]>([])
        let areDatesFollowed = Mutex(false)
    }

    private struct Parts {
        let persistence: Persistence
        let publisher: Publisher
        let workers: [APIWorker]
    }

    /// A daemon over the SQLite store in a directory.
    convenience init(directory: String) { self.init { try SQLiteStore(directory: directory) } }

    /// - Parameter open: opens the same store in each call.
    init(_ open: @escaping () throws -> any Store) { self.open = open }

    /// Sends a request at a time, at which recipes may begin or end, and returns its response.
    func answer(_ request: Request, from worker: Int, at time: Timestamp) throws -> GoldenResponse {
        if shared.now.withLock({ $0 }) != time {
            shared.now.withLock { $0 = time }
            if let publisher = parts?.publisher { follow(publisher) }
        }
        let parts = try parts ?? start()
        let answer = GoldenResponse()
        parts.workers[worker].respond(to: request, Exchange(answer))
        wait { answer.response != nil }
        return answer
    }

    /// Closes the store. The next request opens it again.
    func stop() {
        parts?.persistence.close()
        parts = nil
    }

    private func start() throws -> Parts {
        let logger = Logger(label: "golden") { _ in SwiftLogNoOpLogHandler() }
        let clock = Clock { [shared] in shared.now.withLock { $0 } }
        let store = try open()
        let publisher = Publisher(store: store, clock: clock, logger: logger)
        let tokens = TokenRegister(store: store, clock: clock, logger: logger)
        let publication = Publication(snapshot: try publisher.start(FileCatalog()), settings: Self.settings)
        let persistence = Persistence(store)
        let services = APIServices(
            persistence: persistence, publisher: publisher, tokens: tokens, clock: clock, metrics: Metrics(),
            telemetry: TelemetryTail(), secret: Self.secret, version: "0", loopMetrics: { [] })
        let workers = (0..<2).map { _ in APIWorker(services: services, parking: parking, initial: publication) }
        publisher.connect { [shared, wake = parking.wake] snapshot, acknowledge in
            shared.publications.withLock { $0.append((snapshot, acknowledge)) }
            wake()
        }
        let parts = Parts(persistence: persistence, publisher: publisher, workers: workers)
        self.parts = parts
        return parts
    }

    /// Applies the start and end dates that have passed.
    private func follow(_ publisher: Publisher) {
        shared.areDatesFollowed.withLock { $0 = false }
        publisher.follow { [shared, wake = parking.wake] in
            shared.areDatesFollowed.withLock { $0 = true }
            wake()
        }
        wait { shared.areDatesFollowed.withLock { $0 } }
    }

    private func wait(until isOver: () -> Bool) {
        while !isOver() {
            parking.deliverNext()
            let publications = shared.publications.withLock { publications in
                defer { publications = [] }
                return publications
            }
            for (snapshot, acknowledge) in publications {
                serve(snapshot)
                acknowledge()
            }
            parking.settle(endsWaits: false)
        }
    }

    private func serve(_ snapshot: Snapshot) {
        for worker in parts?.workers ?? [] {
            worker.receive(Publication(snapshot: snapshot, settings: Self.settings))
        }
    }

    /// Settings that need no token.
    private static var settings: APISettings {
        var settings = APISettings()
        settings.isOpen = true
        return settings
    }
}

/// The response to a request.
final class GoldenResponse: ResponseSlot {
    private(set) var response: Response?

    override func reply(_ response: Response) { self.response = response }

    override func abandon() { response = Response(599) }

    var status: Int { response?.status ?? 0 }
    var body: [UInt8] {
        switch response?.body ?? .empty {
        case .empty: []
        case .bytes(let bytes): bytes
        case .pieces(let pieces): Array(pieces.joined())
        }
    }
    var headers: String { String(decoding: response?.headers ?? [], as: UTF8.self) }

    /// The value of the first field with this name.
    func header(_ name: String) -> String? {
        let line = headers.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }
        return line.map { String($0.dropFirst(name.utf8.count + 2)) }
    }
}
