internal import BellwetherJSON
internal import Foundation

/// Results, and nothing else (api.md 5).
enum StandardOutput {
    /// Answers each line of standard input with one line, in order, as they come.
    static func answerLines(_ answer: (_ line: [UInt8]) -> JSONValue) {
        var pending: [UInt8] = []
        while true {
            let chunk = FileHandle.standardInput.availableData
            pending += chunk
            var lines = pending.split(separator: 0x0A, omittingEmptySubsequences: false)
            // What follows the last line feed is a line only at the end.
            let rest = lines.removeLast()
            if chunk.isEmpty, !rest.isEmpty { lines.append(rest) }
            var output: [UInt8] = []
            for line in lines {
                answer(Array(line.last == 0x0D ? line.dropLast() : line)).write(to: &output)
                output.append(0x0A)
            }
            flush(&output)
            pending = Array(rest)
            if chunk.isEmpty { return }
        }
    }

    /// A line that is there at once, also in a pipe.
    static func writeLine(_ text: String) {
        var bytes = Array((text + "\n").utf8)
        flush(&bytes)
    }

    /// Writes and empties. Throws when not all could be written: a full disk must not make a short file look whole.
    static func write(_ bytes: inout [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        try FileHandle.standardOutput.write(contentsOf: Data(bytes))
        bytes.removeAll(keepingCapacity: true)
    }

    private static func flush(_ bytes: inout [UInt8]) {
        try? FileHandle.standardOutput.write(contentsOf: Data(bytes))
        bytes.removeAll(keepingCapacity: true)
    }
}

/// What is not a result: complaints and advice.
enum StandardError {
    static func write(_ text: String, terminator: String = "\n") {
        try? FileHandle.standardError.write(contentsOf: Data((text + terminator).utf8))
    }
}
