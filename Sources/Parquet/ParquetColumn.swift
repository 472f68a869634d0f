/// The type of a column, as its readers see it.
public enum ParquetType: Sendable, Hashable {
    case boolean, int32, int64, double
    /// Milliseconds since 1970 in UTC.
    case timestamp
    /// A text in UTF-8. JSON has this type too: the format's own type for it is binary data to some readers.
    case string
}

/// A column of a flat file.
public struct ParquetColumn: Sendable {
    public let name: String
    public let type: ParquetType
    /// Whether each row has a value.
    public let isRequired: Bool
    /// Whether each row group states the smallest and the largest value, so that readers can skip groups.
    public let hasStatistics: Bool

    public init(_ name: String, _ type: ParquetType, isRequired: Bool = false, hasStatistics: Bool = true) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.hasStatistics = hasStatistics
    }
}

/// A codec of the format, and the function that compresses a page with it.
public struct ParquetCompressor: Sendable {
    /// The raw values are the format's.
    public enum Codec: Int32, Sendable {
        case none = 0
        case gzip = 2
        case zstd = 6
    }

    public let codec: Codec
    let compress: @Sendable ([UInt8]) -> [UInt8]

    /// The function returns the whole page in the codec's form, and never fails.
    public init(_ codec: Codec, _ compress: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        self.codec = codec
        self.compress = compress
    }

    public static let none = ParquetCompressor(.none) { $0 }
}
