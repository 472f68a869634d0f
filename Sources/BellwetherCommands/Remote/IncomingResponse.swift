internal import CCurl

/// A response while it arrives, from libcurl's callbacks.
final class IncomingResponse {
    private(set) var body: [UInt8] = []
    /// The header fields by lowercase name.
    private(set) var headers: [String: String] = [:]

    static let takeBody: bellwether_curl_take = { bytes, size, count, context in
        IncomingResponse.take(bytes, size * count, context) { $0.body += $1 }
    }

    static let takeHeader: bellwether_curl_take = { bytes, size, count, context in
        IncomingResponse.take(bytes, size * count, context) { $0.add(line: String(decoding: $1, as: UTF8.self)) }
    }

    /// Takes all bytes, and returns their number.
    private static func take(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        by add: (IncomingResponse, UnsafeRawBufferPointer) -> Void
    ) -> Int {
        guard let context else { return 0 }
        let response = Unmanaged<IncomingResponse>.fromOpaque(context).takeUnretainedValue()
        add(response, UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
        return count
    }

    /// Adds a line of a head. Each status line begins a new head: the head before it was a `100 Continue` or a proxy's
    /// response.
    private func add(line: String) {
        if line.hasPrefix("HTTP/") { headers = [:] }
        guard let colon = line.firstIndex(of: ":"), !line.hasPrefix("HTTP/") else { return }
        let value = line[line.index(after: colon)...].trimmed
        headers[line[..<colon].lowercased()] = value
    }
}
