internal import Glibc

/// Shows the progress of a long task as a bar on a terminal; shows nothing elsewhere.
package final class Progress {
    private static let width: Int64 = 24

    private let title: String
    private let total: Int64
    private let isShown = Terminal.isPresent(STDERR_FILENO)
    private var shown: Int64 = -1

    package init(_ title: String, of total: Int64) {
        self.title = title.plain
        self.total = max(1, total)
    }

    package func show(_ done: Int64) {
        let percent = min(100, max(0, done) * 100 / total)
        guard isShown, percent != shown else { return }
        shown = percent
        let filled = Int(percent * Self.width / 100)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Int(Self.width) - filled)
        StandardError.write("\r\(title) \(bar) \(percent) %", terminator: "")
    }

    /// Removes the bar, before a result or at the end.
    package func finish() {
        if shown >= 0 { StandardError.write("\r\u{1B}[K", terminator: "") }
        shown = -1
    }
}
