/// The files of one client. `FileStorage` keeps them in a folder, which several processes may share.
///
/// Each function is short and blocks. A function that throws has changed nothing.
public protocol Storage: Sendable {
    /// The content of a file; nil if there is none.
    func read(_ name: String) throws -> [UInt8]?

    /// The number of bytes of a file; 0 if there is none.
    func size(of name: String) throws -> Int

    /// Replaces a file. After a crash of the process it has the old or the new content, never a part.
    ///
    /// - Parameter isDurable: Whether this holds after a loss of power, too.
    mutating func replace(_ name: String, with content: [UInt8], isDurable: Bool) throws

    /// Appends lines, which end with a newline. A part of a line that a crash has left at the end is removed first.
    ///
    /// - Parameter isDurable: Whether the lines outlive a loss of power, not only the end of the process.
    mutating func append(_ lines: [UInt8], to name: String, isDurable: Bool) throws

    /// Removes a file, if there is one.
    mutating func remove(_ name: String) throws

    /// The names of all files.
    func names() throws -> [String]

    /// Begins changes that no other process interrupts. Waits until other processes have ended theirs.
    mutating func beginExclusive() throws
    mutating func endExclusive()
}

extension Storage {
    /// Calls a function while no other process changes the files.
    mutating func exclusively<Value>(_ change: (inout Self) throws -> Value) throws -> Value {
        try beginExclusive()
        defer { endExclusive() }
        return try change(&self)
    }
}

/// Files in memory, for tests and previews.
public struct MemoryStorage: Storage {
    public private(set) var files: [String: [UInt8]] = [:]

    public init() {}

    public func read(_ name: String) -> [UInt8]? { files[name] }
    public func size(of name: String) -> Int { files[name]?.count ?? 0 }
    public mutating func replace(_ name: String, with content: [UInt8], isDurable: Bool) { files[name] = content }
    public mutating func append(_ lines: [UInt8], to name: String, isDurable: Bool) {
        files[name, default: []] += lines
    }
    public mutating func remove(_ name: String) { files[name] = nil }
    public func names() -> [String] { files.keys.sorted() }
    public mutating func beginExclusive() {}
    public mutating func endExclusive() {}
}
