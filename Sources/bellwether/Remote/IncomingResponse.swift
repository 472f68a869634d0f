internal import CCurl
internal import Foundation

/// A response while it comes: what libcurl hands its callbacks.
final class IncomingResponse {
    private(set) var body: [UInt8] = []
    /// By name in lowercase.
    private(set) var headers: [String: String] = [:]

    static let takeBody: bellwether_curl_take = { bytes, size, count, context in
        IncomingResponse.take(bytes, size * count, context) { $0.body += $1 }
    }

    static let takeHeader: bellwether_curl_take = { bytes, size, count, context in
        IncomingResponse.take(bytes, size * count, context) { $0.add(line: String(decoding: $1, as: UTF8.self)) }
    }

    /// The number of bytes taken: all.
    private static func take(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        by add: (IncomingResponse, UnsafeRawBufferPointer) -> Void
    ) -> Int {
        guard let context else { return 0 }
        let response = Unmanaged<IncomingResponse>.fromOpaque(context).takeUnretainedValue()
        add(response, UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
        return count
    }

    /// A line of a head. Each status line begins a head anew: what came before was a `100 Continue`, a proxy's response
    /// or the like.
    private func add(line: String) {
        if line.hasPrefix("HTTP/") { headers = [:] }
        guard let colon = line.firstIndex(of: ":"), !line.hasPrefix("HTTP/") else { return }
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
        headers[line[..<colon].lowercased()] = value
    }
}
