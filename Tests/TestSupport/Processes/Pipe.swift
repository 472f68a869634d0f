internal import Glibc
internal import Synchronization

/// A pipe whose ends a child inherits only by an explicit action.
final class ClosingPipe: Sendable {
    let reading: Int32
    let writing: Int32
    private let isWritingOpen = Atomic(true)

    init() throws {
        var ends: [Int32] = [-1, -1]
        // A socket pair instead of pipe(2): its ends are closed on exec from the start, even if a child starts at the
        // same time.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw Failure("no pipe: \(String(cString: strerror(errno)))")
        }
        (reading, writing) = (ends[0], ends[1])
    }

    /// Closes this process's writing end. Then only children hold it open.
    func closeWriting() {
        if isWritingOpen.exchange(false, ordering: .relaxed) { close(writing) }
    }

    deinit {
        closeWriting()
        close(reading)
    }

    /// Waits until there is something to read or no process holds the writing end; false when the time is over.
    func waitUntilReadable(seconds: Double) -> Bool {
        let deadline = ContinuousClock.now + .milliseconds(Int(seconds * 1000))
        while true {
            let left = (deadline - ContinuousClock.now).components
            let milliseconds = max(0, left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000)
            var watched = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            let result = poll(&watched, 1, Int32(clamping: milliseconds))
            if result >= 0 { return result > 0 }
        }
    }

    /// The next line without its line end. At the end of the input: the remaining bytes, or nil if there are none.
    func readLine(seconds: Double = longestWait) -> String? {
        var line: [UInt8] = []
        while waitUntilReadable(seconds: seconds) {
            var byte: UInt8 = 0
            guard read(reading, &byte, 1) == 1 else { break }
            if byte == 0x0A { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
