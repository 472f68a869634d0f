import BellwetherClient
import BellwetherJSON
import Dispatch
import Foundation
import Synchronization

/// The client in Swift, at the start of an app without a network: the time from its creation to the message that the
/// device decides, from a bundle of 100 messages on the disk. The client's files are those that an earlier start left.
enum ClientSpeed {
    static func rows(_ bench: Workbench) -> [any Benchmark] {
        [
            QuantityRow("start of an app without network, 100 messages", unit: "ms", limit: .atMost(50)) { _ in
                try start(in: folder(bench))
            }
        ]
    }

    /// The eligible message is the 50th, as for the population of the polls.
    private static let attributes: JSONObject = [
        "os": "iOS", "os_version": "17.4", "app_version": "125.1", "locale": "en-US",
        "days_since_install": 120, "days_since_update": 3,
    ]

    private static func start(in folder: String) throws -> Double {
        let begin = DispatchTime.now().uptimeNanoseconds
        let client = try client(in: folder)
        let count = try wait { await client.messages(surface: SampleApp.surface).messages.count }
        let milliseconds = Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e6
        guard count == 1 else { throw Failure("\(count) messages") }
        return milliseconds
    }

    /// The folder of a client that has asked a daemon once.
    private static func folder(_ bench: Workbench) throws -> String {
        let folder = "\(bench.directory)/client"
        guard !FileManager.default.fileExists(atPath: folder) else { return folder }
        let server = try bench.server("client") { try BellwetherServer(named: "client", recipes: 100, bench: bench) }
        defer { bench.stop("client") }
        let client = try client(in: folder, port: server.port)
        try wait { await client.setAttributes(attributes) }
        guard try wait({ await client.refresh() }) else { throw Failure("the daemon has not answered the client") }
        return folder
    }

    private static func client(in folder: String, port: Int = 1) throws -> BellwetherClient {
        guard let address = URL(string: "http://127.0.0.1:\(port)") else { throw Failure("no address") }
        var configuration = ClientConfiguration()
        configuration.flushSeconds = nil
        return try BellwetherClient(
            address: address, app: SampleApp.name, folder: URL(fileURLWithPath: folder), configuration: configuration)
    }

    /// Waits for a value of the client, which is an actor.
    private static func wait<Value: Sendable>(_ value: @escaping @Sendable () async -> Value) throws -> Value {
        let end = DispatchSemaphore(value: 0)
        let result = Mutex<Value?>(nil)
        Task.detached {
            let value = await value()
            result.withLock { $0 = value }
            end.signal()
        }
        end.wait()
        guard let value = result.withLock({ $0 }) else { throw Failure("no value") }
        return value
    }
}
