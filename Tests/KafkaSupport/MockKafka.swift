internal import Foundation
internal import TestSupport

/// Simulated Kafka brokers in a process of their own: librdkafka's mock cluster, whose program the tests compile.
///
/// The brokers answer as Kafka's do, but keep 5 MB of a partition only, and detect no duplicates.
public final class MockKafka: Sendable {
    /// The addresses of the brokers, for a producer.
    public let brokers: String
    public let count: Int
    private let folder: TemporaryDirectory
    private let process: ChildProcess
    private let input: FileHandle
    private let output: FileHandle

    public init(brokers count: Int = 3) throws {
        self.count = count
        let program = try KafkaTools.mock.get()
        var streams = ChildProcess.Streams()
        let (reading, writing) = try Self.sockets()
        streams.output = .descriptor(writing.fileDescriptor)
        folder = try TemporaryDirectory()
        streams.input = folder.path + "/commands"
        guard mkfifo(streams.input, 0o600) == 0 else { throw Failure("no pipe for mock-kafka") }
        // Opened for both, because the opening of one end alone waits for the other.
        let commands = open(streams.input, O_RDWR | O_CLOEXEC)
        (input, output) = (FileHandle(fileDescriptor: commands, closeOnDealloc: true), reading)
        process = try ChildProcess([program.path + "/mock-kafka", String(count)], streams: streams)
        try writing.close()
        guard let line = Self.readLine(output) else { throw Failure("mock-kafka did not start") }
        brokers = line
    }

    /// Runs a command of mock-kafka.c, and returns when the brokers obey it.
    public func run(_ command: String) throws {
        try input.write(contentsOf: Data((command + "\n").utf8))
        guard Self.readLine(output) == "ok" else { throw Failure("mock-kafka did not run: \(command)") }
    }

    /// Closes all brokers' ports and connections.
    public func stop() throws {
        for broker in 1...count { try run("down \(broker)") }
    }

    /// Opens the ports again.
    public func start() throws {
        for broker in 1...count { try run("up \(broker)") }
    }

    /// A pair of sockets that no other child inherits.
    private static func sockets() throws -> (FileHandle, FileHandle) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw Failure("no sockets: \(String(cString: strerror(errno)))")
        }
        return (
            FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
            FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        )
    }

    /// The next line. Nil if the process has ended.
    private static func readLine(_ handle: FileHandle) -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(handle.fileDescriptor, &byte, 1) == 1 {
            if byte == 0x0A { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }
}
