internal import Foundation

/// A program whose output is read while it runs. It is killed when the value is released.
public final class RunningCommand: Sendable {
    private let process: ChildProcess
    private let output: ClosingPipe
    private let folder: TemporaryDirectory

    public init(_ command: [String], environment: [String: String] = [:]) throws {
        folder = try TemporaryDirectory()
        output = try ClosingPipe()
        var streams = ChildProcess.Streams()
        streams.output = .descriptor(output.writing)
        streams.errors = folder.path + "/errors"
        process = try ChildProcess(command, environment: environment, streams: streams)
        output.closeWriting()
    }

    /// The next line of standard output; nil if none arrives in time or the output has ended.
    public func readLine(seconds: Double = longestWait) -> String? { output.readLine(seconds: seconds) }

    /// The text of standard error so far.
    public var errors: String { (try? String(contentsOfFile: folder.path + "/errors", encoding: .utf8)) ?? "" }

    public var pid: Int32 { process.pid }

    public var hasEnded: Bool { process.hasEnded }

    public func signal(_ number: Int32) { process.signal(number) }

    /// Waits for the end and returns the exit status, or the negative number of the signal that ended it.
    public func wait() throws -> Int32 { try process.wait() }
}
