/// Bytes that wait for a slow client, sent from the front.
struct PendingOutput {
    private var bytes: [UInt8] = []
    private var sent = 0

    var isEmpty: Bool { sent == bytes.count }
    var count: Int { bytes.count - sent }

    mutating func append(_ more: ArraySlice<UInt8>) { bytes.append(contentsOf: more) }

    /// Hands the rest to `send`, which returns how many bytes it took.
    mutating func send(_ send: (UnsafeRawBufferPointer) -> Int) {
        sent += bytes.withUnsafeBytes { send(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
        if isEmpty { self = PendingOutput() }
    }
}
