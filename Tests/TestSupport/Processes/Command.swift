internal import Foundation

/// The result of a program that was run to its end.
public struct Command: Sendable {
    public let status: Int32
    public let output: String
    public let errors: String

    /// Runs a program with the given text on standard input.
    public static func run(
        _ command: [String], environment: [String: String] = [:], input: String = "", seconds: Double = longestWait
    ) throws -> Command {
        let folder = try TemporaryDirectory()
        var streams = ChildProcess.Streams()
        streams.input = try folder.write(input, to: "input")
        streams.output = .file(folder.path + "/output")
        streams.errors = folder.path + "/errors"
        let process = try ChildProcess(command, environment: environment, streams: streams)
        let status = try process.wait(seconds: seconds)
        return Command(
            status: status, output: try text(folder.path + "/output"), errors: try text(folder.path + "/errors"))
    }

    /// Runs the real program, which is in the folder of the tests.
    public static func bellwether(
        _ arguments: String..., environment: [String: String] = [:], input: String = ""
    ) throws -> Command {
        try run([BellwetherProgram.path] + arguments, environment: environment, input: input)
    }

    /// Runs the real curl without progress output, and returns its output.
    public static func curl(_ arguments: String...) throws -> Command {
        try run(["curl", "--silent", "--show-error", "--max-time", "\(longestWait)"] + arguments)
    }

    /// The lines of standard output.
    public var lines: [String] { output.split(separator: "\n").map(String.init) }

    private static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    }
}

/// The path of the real program.
public enum BellwetherProgram {
    /// The folder of the test bundle, because SwiftPM builds both into one directory.
    public static let path: String = {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().path + "/bellwether"
    }()
}
