package import BellwetherJSON
internal import Glibc

/// Standard output, only for results (docs/reference/http-api.md#command-line). An incomplete write throws: on a full
/// disk, a short file must not look complete.
package enum StandardOutput {
    /// Writes one line for each line of standard input, in order, as the lines arrive.
    package static func answerLines(_ answer: (_ line: [UInt8]) -> JSONValue) throws {
        try replyLines { answer($0) }
    }

    /// The same, for lines that may have no result.
    package static func replyLines(
        _ content: Terminal.Content = .lines, _ answer: (_ line: [UInt8]) -> JSONValue?
    ) throws {
        var pending: [UInt8] = []
        while true {
            let chunk = StandardInput.chunk()
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
    package static func writeLine(_ text: String) throws {
        var bytes = Array((text + "\n").utf8)
        try write(&bytes)
    }

    /// Writes the bytes and empties the array. The bytes must be complete characters.
    package static func write(_ bytes: inout [UInt8], _ content: Terminal.Content = .lines) throws {
        guard !bytes.isEmpty else { return }
        let code = FileDescriptor.write(Terminal.output(bytes, content), to: STDOUT_FILENO)
        guard code == 0 else { throw OutputFailure(code: code) }
        bytes.removeAll(keepingCapacity: true)
    }
}

/// The reason why standard output does not accept results: the disk is full, or no process reads them.
package struct OutputFailure: Error, CustomStringConvertible {
    /// The value of `errno`.
    package let code: Int32

    package var description: String { "Standard output cannot be written: \(String(cString: strerror(code)))." }
}

/// Standard error, for faults and advice.
package enum StandardError {
    package static func write(_ text: String, terminator: String = "\n") {
        _ = FileDescriptor.write(Array((text + terminator).utf8), to: STDERR_FILENO)
    }
}

package enum StandardInput {
    /// The bytes that have arrived, after waiting for at least one; empty at the end.
    package static func chunk() -> [UInt8] { FileDescriptor.read(STDIN_FILENO) }

    /// All bytes up to the end.
    package static func all() -> [UInt8] { FileDescriptor.readAll(STDIN_FILENO) }
}

/// Reads and writes open files.
package enum FileDescriptor {
    private static let chunkBytes = 1 << 16

    /// The bytes that are there, after waiting for at least one; empty at the end, or if the file cannot be read.
    package static func read(_ descriptor: Int32) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: chunkBytes) { buffer, count in
            var result = 0
            repeat {
                result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            } while result < 0 && errno == EINTR
            count = max(0, result)
        }
    }

    /// Reads to the end; nil if there are more bytes than the limit.
    package static func read(_ descriptor: Int32, upTo limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let chunk = read(descriptor)
            if chunk.isEmpty { return bytes }
            bytes += chunk
        }
        return nil
    }

    package static func readAll(_ descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let chunk = read(descriptor)
            if chunk.isEmpty { return bytes }
            bytes += chunk
        }
    }

    /// Writes all bytes. Returns 0, or the value of `errno`.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
                let result = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if result >= 0 { written += result } else if errno != EINTR { return errno }
            }
            return 0
        }
    }
}

extension StandardError {
    /// Makes a write to a full pipe fail instead of wait. The pipe is opened again for this process, so other processes
    /// with the same pipe are not affected.
    package static func neverWait() {
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
        let own = open("/proc/self/fd/\(STDERR_FILENO)", O_WRONLY | O_NONBLOCK)
        guard own >= 0 else { return }
        dup2(own, STDERR_FILENO)
        close(own)
    }
}
