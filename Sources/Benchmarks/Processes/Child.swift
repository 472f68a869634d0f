import Foundation

/// A process that the benchmark started, with its output in files. It ends when the benchmark ends, for whatever
/// reason.
final class Child {
    let pid: pid_t
    let output: String
    let errors: String
    private let title: String
    private var status: Int32?

    /// Starts a program by its path or name, on one core.
    /// - Parameter log: the path prefix of the files for standard output (`LOG.out`) and standard error (`LOG.err`).
    init(_ command: [String], core: Int, log: String) throws {
        title = command.first ?? ""
        output = log + ".out"
        errors = log + ".err"
        // The parent-death signal outlives exec, so no server is left behind even when the benchmark is killed.
        let arguments = ["setpriv", "--pdeathsig", "SIGKILL", "taskset", "-c", "\(core)"] + command
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, arguments[0], &actions, nil, &pointers, environ)
        guard code == 0 else { throw Failure("cannot start \(title): \(String(cString: strerror(code)))") }
        self.pid = pid
    }

    deinit { stop() }

    /// Everything written to standard output so far.
    var text: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

    /// The end of the text of standard error, for messages.
    var complaint: String {
        let text = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
        return String(text.suffix(2_000))
    }

    /// Waits for the end of the process and returns its standard output. Throws if the process is late or its status is
    /// not 0.
    func finish(within seconds: Double) throws -> String {
        try wait(seconds: seconds, for: "end") { self.hasEnded }
        guard status == 0 else { throw Failure("\(title) ended with status \(status ?? -1): \(complaint)\(text)") }
        return text
    }

    /// Waits until a condition holds. Throws if the process ends first.
    func waitUntil(_ what: String, within seconds: Double, _ holds: () throws -> Bool) throws {
        try wait(seconds: seconds, for: what) {
            if self.hasEnded { throw Failure("\(self.title) ended early: \(self.complaint)\(self.text)") }
            return try holds()
        }
    }

    private func wait(seconds: Double, for what: String, _ holds: () throws -> Bool) throws {
        let deadline = Date.now.addingTimeInterval(seconds)
        while try !holds() {
            try Interruption.check()
            guard Date.now < deadline else {
                throw Failure("\(title): no \(what) within \(seconds.figure(places: 0)) s. \(complaint)")
            }
            usleep(5_000)
        }
    }

    var hasEnded: Bool {
        if status != nil { return true }
        var raw: Int32 = 0
        guard waitpid(pid, &raw, WNOHANG) == pid else { return false }
        // wait(2): the low seven bits are the signal, the next byte is the exit status.
        status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : -(raw & 0x7F)
        return true
    }

    /// Sends SIGTERM, and SIGKILL five seconds later.
    func stop() {
        guard !hasEnded else { return }
        Foundation.kill(pid, SIGTERM)
        let deadline = Date.now.addingTimeInterval(5)
        while !hasEnded, Date.now < deadline { usleep(5_000) }
        kill()
    }

    /// Sends SIGKILL.
    func kill() {
        guard !hasEnded else { return }
        Foundation.kill(pid, SIGKILL)
        var raw: Int32 = 0
        waitpid(pid, &raw, 0)
        status = -SIGKILL
    }
}
