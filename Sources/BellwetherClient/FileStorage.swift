public import Foundation

/// Files in a folder. Several processes of an app, such as the app and its widget, may use one folder.
public struct FileStorage: Storage {
    private let folder: String
    private var lock: Int32 = -1

    /// The error of a system call.
    public struct Fault: Error, CustomStringConvertible {
        public let call: String
        public let number: Int32
        public var description: String { "\(call): \(String(cString: strerror(number)))" }

        init(_ call: String) { (self.call, number) = (call, errno) }
    }

    /// Creates the folder, which backups leave out.
    public init(folder: URL) throws {
        self.folder = folder.path
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        #if canImport(Darwin)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            var url = folder
            try? url.setResourceValues(values)
        #endif
        #if os(iOS)
            // The queue is written while the device is locked, too.
            try? FileManager.default.setAttributes(
                [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: folder.path)
        #endif
    }

    private func path(_ name: String) -> String { folder + "/" + name }

    public func read(_ name: String) throws -> [UInt8]? {
        let file = open(path(name), O_RDONLY | O_CLOEXEC)
        if file < 0, errno == ENOENT { return nil }
        guard file >= 0 else { throw Fault("open") }
        defer { close(file) }
        var content: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = part.withUnsafeMutableBytes { Foundation.read(file, $0.baseAddress, $0.count) }
            guard count >= 0 else { throw Fault("read") }
            if count == 0 { return content }
            content += part[..<count]
        }
    }

    public func size(of name: String) throws -> Int {
        var status = stat()
        if stat(path(name), &status) == 0 { return Int(status.st_size) }
        guard errno == ENOENT else { throw Fault("stat") }
        return 0
    }

    public mutating func replace(_ name: String, with content: [UInt8], isDurable: Bool) throws {
        // The name of the process: two processes that replace one file do not write into each other's.
        let draft = path(".\(name)-\(getpid())")
        let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Fault("open") }
        do {
            defer { close(file) }
            try Self.write(content, to: file)
            if isDurable, fsync(file) != 0 { throw Fault("fsync") }
        } catch {
            unlink(draft)
            throw error
        }
        guard rename(draft, path(name)) == 0 else {
            let fault = Fault("rename")
            unlink(draft)
            throw fault
        }
    }

    public mutating func append(_ lines: [UInt8], to name: String, isDurable: Bool) throws {
        let file = open(path(name), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Fault("open") }
        defer { close(file) }
        let end = try Self.endOfLines(file)
        do {
            try Self.write(lines, to: file)
        } catch {
            ftruncate(file, end)
            throw error
        }
        if isDurable, fsync(file) != 0 { throw Fault("fsync") }
    }

    /// Removes a part of a line at the end, and returns the size.
    private static func endOfLines(_ file: Int32) throws -> off_t {
        let size = lseek(file, 0, SEEK_END)
        guard size >= 0 else { throw Fault("lseek") }
        var end = size
        var byte: UInt8 = 0
        while end > 0 {
            guard pread(file, &byte, 1, end - 1) == 1 else { throw Fault("pread") }
            if byte == UInt8(ascii: "\n") { break }
            end -= 1
        }
        if end < size, ftruncate(file, end) != 0 { throw Fault("ftruncate") }
        return end
    }

    private static func write(_ bytes: [UInt8], to file: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Fault("write") }
            rest = rest.dropFirst(count)
        }
    }

    public mutating func remove(_ name: String) throws {
        guard unlink(path(name)) == 0 || errno == ENOENT else { throw Fault("unlink") }
    }

    public func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }
    }

    public mutating func beginExclusive() throws {
        let file = open(path(".lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Fault("open") }
        while flock(file, LOCK_EX) != 0 {
            guard errno == EINTR else {
                let fault = Fault("flock")
                close(file)
                throw fault
            }
        }
        lock = file
    }

    public mutating func endExclusive() {
        close(lock)
        lock = -1
    }
}
