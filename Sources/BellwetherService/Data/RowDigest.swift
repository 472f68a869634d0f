internal import BellwetherJSON

/// The digest of rows of the tables `responses` and `answers`, whatever their order. A change of a run changes the
/// version of its row.
public struct RowDigest: Sendable {
    private var count = 0
    private var sum: UInt64 = 0

    var isEmpty: Bool { count == 0 }

    /// The version of the columns is a part, so that another version writes all files again.
    var text: String { "\(DataTable.schema)-\(count)-" + String(sum, radix: 16) }

    mutating func add(_ row: ResponseRow) {
        count += 1
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for byte in row.id.utf8 { mix(byte) }
        for shift in stride(from: 0, to: 64, by: 8) { mix(UInt8(truncatingIfNeeded: row.version >> shift)) }
        // The last step spreads each bit, so that sums of similar hashes differ.
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        sum &+= hash ^ hash >> 33
    }
}
