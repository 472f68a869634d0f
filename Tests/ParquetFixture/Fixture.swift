internal import Glibc
internal import Gzip
internal import Parquet
internal import Zstd

/// `parquet-fixture files FOLDER SEED` writes data sets as Parquet and as NDJSON, for Conformance/parquet_test.py.
/// `parquet-fixture measure ROWS CODEC [FILE]` measures the writer.
@main struct Fixture {
    static func main() {
        let arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "files" where arguments.count == 4:
            for dataSet in DataSet.all {
                dataSet.write(to: "\(arguments[2])/\(dataSet.name)", seed: UInt64(arguments[3])!)
            }
        case "measure" where arguments.count >= 4:
            measure(rows: Int(arguments[2])!, compressors[arguments[3]]!, file: arguments.dropFirst(4).first)
        default: fatalError("files FOLDER SEED, or measure ROWS CODEC [FILE]")
        }
    }

    static let compressors: [String: ParquetCompressor] = [
        "none": .none,
        "gzip": ParquetCompressor(.gzip) { Deflation.gzip($0, level: 6)! },
        "zstd": ParquetCompressor(.zstd) { ZstdLibrary.shared!.compress($0)! },
    ]
}

/// A file that is written from its first byte to its last.
struct OutputFile: ~Copyable {
    private let file: UnsafeMutablePointer<FILE>

    init(_ path: String) { file = fopen(path, "w")! }
    deinit { fclose(file) }

    /// Writes the bytes, and takes them away.
    func drain(_ bytes: inout [UInt8]) {
        precondition(fwrite(bytes, 1, bytes.count, file) == bytes.count)
        bytes.removeAll(keepingCapacity: true)
    }
}

/// Random numbers that are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
