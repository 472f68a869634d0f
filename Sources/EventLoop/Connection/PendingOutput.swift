/// Bytes that wait for a slow client. They are sent from the front.
struct PendingOutput {
    private var bytes: [UInt8] = []
    private var sent = 0

    var isEmpty: Bool { sent == bytes.count }
    var count: Int { bytes.count - sent }

    mutating func append(_ more: ArraySlice<UInt8>) { bytes.append(contentsOf: more) }

    /// Passes the remaining bytes to `send`, which returns the number of bytes that it accepted.
    mutating func send(_ send: (UnsafeRawBufferPointer) -> Int) {
        sent += bytes.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
        if isEmpty { self = PendingOutput() }
    }
}
