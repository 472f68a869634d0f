internal import BellwetherJSON
internal import Foundation
internal import Glibc

/// Standard output, only for results (docs/reference/http-api.md#command-line). An incomplete write throws: on a full
/// disk, a short file must not look complete.
enum StandardOutput {
    /// Writes one line for each line of standard input, in order, as the lines arrive.
    static func answerLines(_ answer: (_ line: [UInt8]) -> JSONValue) throws {
        try replyLines { answer($0) }
    }

    /// The same, for lines that may have no result.
    static func replyLines(
        _ content: Terminal.Content = .lines, _ answer: (_ line: [UInt8]) -> JSONValue?
    ) throws {
        var pending: [UInt8] = []
        while true {
            let chunk = FileHandle.standardInput.availableData
            pending += chunk
            var lines = pending.split(separator: 0x0A, omittingEmptySubsequences: false)
            // The bytes after the last line feed are a line only at the end of the input.
            let rest = lines.removeLast()
            if chunk.isEmpty, !rest.isEmpty { lines.append(rest) }
            var output: [UInt8] = []
            for line in lines {
                guard let value = answer(Array(line.last == 0x0D ? line.dropLast() : line)) else { continue }
                value.write(to: &output)
                output.append(0x0A)
            }
            try write(&output, content)
            pending = Array(rest)
            if chunk.isEmpty { return }
        }
    }

    /// Writes a line without buffering, even to a pipe.
    static func writeLine(_ text: String) throws {
        var bytes = Array((text + "\n").utf8)
        try write(&bytes)
    }

    /// Writes the bytes and empties the array. The bytes must be complete characters.
    static func write(_ bytes: inout [UInt8], _ content: Terminal.Content = .lines) throws {
        guard !bytes.isEmpty else { return }
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(Terminal.output(bytes, content)))
        } catch {
            throw OutputFailure(error)
        }
        bytes.removeAll(keepingCapacity: true)
    }
}

/// The reason why standard output does not accept results: the disk is full, or no process reads them.
struct OutputFailure: Error, CustomStringConvertible {
    let code: Int32

    init(_ error: any Error) {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
        code = Int32(truncatingIfNeeded: cause.code)
    }

    var description: String { "Standard output cannot be written: \(String(cString: strerror(code)))." }
}

/// Standard error, for faults and advice.
enum StandardError {
    static func write(_ text: String, terminator: String = "\n") {
        try? FileHandle.standardError.write(contentsOf: Data((text + terminator).utf8))
    }
}
