extension Request {
    /// A request made in memory, for tests and for answering without a socket. The same parser reads it and refuses the
    /// same faults.
    public init(
        _ method: HTTPMethod, _ target: String, headers: [(name: String, value: String)] = [], body: [UInt8] = []
    ) throws(WireFault) {
        var text = "\(method.name) \(target) HTTP/1.1\r\n"
        if !headers.contains(where: { $0.name.lowercased() == "host" }) { text += "Host: localhost\r\n" }
        for header in headers { text += "\(header.name): \(header.value)\r\n" }
        var buffer = ReceiveBuffer(Array((text + "\r\n").utf8))
        var parser = RequestParser()
        switch parser.next(&buffer) {
        case .request(let request), .head(let request): self = request
        case .fault(let fault): throw fault
        case .needsMore: throw .fieldLine
        }
        bodyStorage = body
        bodyRange = 0..<body.count
    }
}
