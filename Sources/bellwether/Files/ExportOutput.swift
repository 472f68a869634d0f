internal import BellwetherCommands
internal import BellwetherService
internal import Glibc
internal import Gzip
internal import Parquet
internal import Sinks
internal import Zstd

/// The place that an export writes to: standard output, or a file that appears when it is complete.
struct ExportOutput {
    private let path: String
    /// Nil for standard output.
    private let file: NewFile?

    /// - Parameter path: Nil means standard output.
    init(_ path: String?) throws(SinkFault) {
        self.path = path ?? ""
        guard let path else {
            file = nil
            return
        }
        // Readers of a folder of Parquet leave out a name that begins with a dot.
        let folder = Folder.parent(of: path)
        let name = ".\(path.split(separator: "/").last ?? "").\(getpid()).partial"
        file = try NewFile(folder == "/" ? "/" + name : "\(folder)/\(name)")
    }

    /// Writes the bytes, and empties them.
    func write(_ bytes: inout [UInt8]) throws {
        guard let file else { return try StandardOutput.write(&bytes, .data) }
        try file.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Gives the file its name. Without this call, no file is left.
    func finish() throws(SinkFault) {
        guard let file else { return }
        try file.synchronize()
        try file.rename(to: path)
    }
}

extension ParquetCompressor {
    /// Zstandard; gzip on a system without libzstd. All readers of Parquet have both.
    static let ofProgram =
        if let library = ZstdLibrary.shared {
            ParquetCompressor(.zstd) { compressed(library.compress($0)) }
        } else {
            ParquetCompressor(.gzip) { compressed(Deflation.gzip($0, level: 6)) }
        }

    /// Swift itself ends the process when it can allocate no memory.
    private static func compressed(_ page: [UInt8]?) -> [UInt8] {
        guard let page else { fatalError("there is no memory to compress a page") }
        return page
    }
}
