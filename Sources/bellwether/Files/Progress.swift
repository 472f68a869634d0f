internal import Glibc

/// How far a long piece of work has come, as a line on a terminal that is written over; nothing anywhere else.
final class Progress {
    private let title: String
    private let total: Int64
    private let isShown = isatty(STDERR_FILENO) == 1
    private var shown: Int64 = -1

    init(_ title: String, of total: Int64) {
        self.title = title
        self.total = max(1, total)
    }

    func show(_ done: Int64) {
        let percent = min(100, max(0, done) * 100 / total)
        guard isShown, percent != shown else { return }
        shown = percent
        StandardError.write("\r\(title): \(percent) %", terminator: "")
    }

    /// Leaves a clean line.
    func finish() {
        if shown >= 0 { StandardError.write("\r\u{1B}[K", terminator: "") }
    }
}
