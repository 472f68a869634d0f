import Foundation

/// A simple keep-alive HTTP client on loopback, for preparation and checks. The load comes from ``LoadGenerator``.
final class LoopbackClient {
    struct Response {
        let status: Int
        let headers: [String: String]
        let body: [UInt8]
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    private let descriptor: Int32
    private var received: [UInt8] = []

    init(port: Int) throws {
        descriptor = try LoopbackSocket.connect(to: port)
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func get(_ path: String, ifNoneMatch tag: String? = nil) throws -> Response {
        try ask(path, ifNoneMatch: tag)
        return try answer()
    }

    /// Sends a GET without reading the response, so that a caller can use many connections at once.
    func ask(_ path: String, ifNoneMatch tag: String? = nil) throws {
        try send(HTTPText.get(path, ifNoneMatch: tag))
    }

    /// Publishes a recipe.
    func publish(_ slug: String, _ document: String) throws {
        let path = "/v1/apps/\(SampleApp.name)/recipes/\(slug)"
        try send(HTTPText.request("PUT", path, body: Array(document.utf8)))
        let answer = try answer()
        guard [200, 201].contains(answer.status) else { throw Failure("\(slug): \(answer.status) \(answer.text)") }
    }

    /// Replaces a list of clients by the ids of a body, one on each line.
    func put(list name: String, _ body: [UInt8]) throws {
        let path = "/v1/apps/\(SampleApp.name)/lists/\(name)?of=clients"
        try send(HTTPText.request("PUT", path, type: "text/plain", body: body))
        let answer = try answer()
        guard [200, 201].contains(answer.status) else { throw Failure("\(name): \(answer.status) \(answer.text)") }
    }

    func post(_ path: String, type: String, body: [UInt8]) throws -> Response {
        try send(HTTPText.request("POST", path, type: type, body: body))
        return try answer()
    }

    /// Sends any request without reading the response.
    func send(_ request: [UInt8]) throws {
        var sent = 0
        while sent < request.count {
            let count = request[sent...].withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { throw Failure("the server took no request: \(String(cString: strerror(errno)))") }
            sent += count
        }
    }

    /// Reads the response to the oldest request whose response has not been read.
    func answer() throws -> Response {
        var end = received.range(ofBlankLineFrom: 0)
        while end == nil {
            let known = received.count
            try receive()
            end = received.range(ofBlankLineFrom: max(0, known - 3))
        }
        let head = received[..<(end?.lowerBound ?? 0)]
        let start = end?.upperBound ?? 0
        let (status, headers) = try Self.read(head: head)
        let length = status == 304 || status == 204 ? 0 : headers["content-length"].flatMap { Int($0) } ?? 0
        while received.count < start + length { try receive() }
        let body = Array(received[start..<(start + length)])
        received.removeFirst(start + length)
        return Response(status: status, headers: headers, body: body)
    }

    private func receive() throws {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else {
            throw Failure(count == 0 ? "the server hung up" : "no answer: \(String(cString: strerror(errno)))")
        }
        received += chunk[..<count]
    }

    private static func read(head: ArraySlice<UInt8>) throws -> (Int, [String: String]) {
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        guard let first = lines.first, let status = first.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { throw Failure("this is no HTTP: \(lines.first ?? "")") }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...]
            headers[line[..<colon].lowercased()] = value.trimmingCharacters(in: .whitespaces)
        }
        return (status, headers)
    }
}

extension [UInt8] {
    /// The range of the first CRLF CRLF that begins at the index or after it.
    fileprivate func range(ofBlankLineFrom index: Int) -> Range<Int>? {
        guard count >= index + 4 else { return nil }
        for position in index...(count - 4) where self[position] == 13 {
            if self[position + 1] == 10, self[position + 2] == 13, self[position + 3] == 10 {
                return position..<(position + 4)
            }
        }
        return nil
    }
}
