import Foundation

/// Reports progress on standard error: standard output carries the table only.
enum Progress {
    static func report(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else {
            if !text.isEmpty { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
            return
        }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
    }
}
