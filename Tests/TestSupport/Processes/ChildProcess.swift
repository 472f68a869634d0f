public import Foundation
internal import Synchronization

/// A process that a test started. It is killed when the value is released, and when the test run ends for whatever
/// reason.
public final class ChildProcess: Sendable {
    public let pid: pid_t
    private let title: String
    /// Readable once the process has ended, because only the process holds the other end.
    private let life: ClosingPipe
    private let status = Mutex<Int32?>(nil)

    /// The descriptor of the life pipe in the child. Its number is so high that no other file has it.
    private static let lifeDescriptor: Int32 = 100

    public struct Streams: Sendable {
        /// A file to read, standard output (a file, or a descriptor of this process), and a file for standard error.
        public var input = "/dev/null"
        public var output = Output.file("/dev/null")
        public var errors = "/dev/null"

        public enum Output: Sendable {
            case file(String)
            case descriptor(Int32)
        }

        public init() {}
    }

    /// The folder for the program's user data, so that it does not use the home of the user who runs the tests.
    private static let state = try? TemporaryDirectory()

    /// Starts a program by its path or name. The environment is this process's with the given changes.
    public init(_ command: [String], environment: [String: String] = [:], streams: Streams) throws {
        title = command.first ?? ""
        let pipe = try ClosingPipe()
        life = pipe
        let arguments = ["setpriv", "--pdeathsig", "SIGKILL", "--"] + command
        let outcome = Outcome()
        Spawner.shared.run { outcome.set(Self.spawn(arguments, environment, streams, pipe.writing)) }
        pipe.closeWriting()
        pid = outcome.value.pid
        guard outcome.value.error == 0 else {
            throw Failure("\(title) did not start: \(String(cString: strerror(outcome.value.error)))")
        }
    }

    private final class Outcome: Sendable {
        private let result = Mutex<(pid: pid_t, error: Int32)>((0, 0))
        var value: (pid: pid_t, error: Int32) { result.withLock { $0 } }
        func set(_ value: (pid: pid_t, error: Int32)) { result.withLock { $0 = value } }
    }

    private static func spawn(
        _ arguments: [String], _ environment: [String: String], _ streams: Streams, _ life: Int32
    ) -> (pid: pid_t, error: Int32) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, streams.input, O_RDONLY, 0)
        switch streams.output {
        case .file(let path):
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO)
        }
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, streams.errors, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        posix_spawn_file_actions_adddup2(&actions, life, lifeDescriptor)
        let state = state.map { ["XDG_STATE_HOME": $0.path] } ?? [:]
        let variables = ProcessInfo.processInfo.environment.merging(state) { $1 }.merging(environment) { $1 }
        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        // Dispatch threads block signals, and a child inherits the blocked set.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var mask = sigset_t()
        sigemptyset(&mask)
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var pid: pid_t = 0
        let error = posix_spawnp(&pid, arguments[0], &actions, &attributes, &argv, &envp)
        return (pid, error)
    }

    deinit {
        signal(SIGKILL)
        _ = try? wait(seconds: 10)
    }

    public func signal(_ number: Int32) {
        status.withLock { if $0 == nil { kill(pid, number) } }
    }

    public var hasEnded: Bool { life.waitUntilReadable(seconds: 0) }

    /// Waits for the end and returns the exit status; the negative number of a signal that ended it.
    public func wait(seconds: Double = longestWait) throws -> Int32 {
        if let known = status.withLock({ $0 }) { return known }
        guard life.waitUntilReadable(seconds: seconds) else { throw Failure("\(title) did not end in \(seconds) s") }
        return status.withLock { status in
            if let status { return status }
            var raw: Int32 = 0
            while waitpid(pid, &raw, 0) < 0 && errno == EINTR {}
            // wait(2): the low seven bits are the signal, the next byte is the exit status.
            let ended = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : -(raw & 0x7F)
            status = ended
            return ended
        }
    }
}
