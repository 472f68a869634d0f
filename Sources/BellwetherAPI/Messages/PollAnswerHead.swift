internal import HTTPWire

/// What is told to a client that has the answer already. Nothing of it refers to anything, so that the messages are
/// left alone then: of a remembered poll they are far from where it is.
struct PollAnswerHead: BitwiseCopyable {
    let tag: EntityTagBuilder
    /// As it is counted.
    let outcome: WorkerMeter.Poll

    private static let cacheControl = Array("\r\nCache-Control: private, no-cache\r\n".utf8)
    private static let contentType = Array("Content-Type: application/json\r\n".utf8)

    func response(to request: Request, counting meter: WorkerMeter, body: () -> [UInt8]) -> Response {
        var headers: [UInt8] = []
        headers.reserveCapacity(160)
        headers += "ETag: ".utf8
        let start = headers.count
        tag.append(to: &headers)
        let end = headers.count
        headers += Self.cacheControl
        if request.method == .get || request.method == .head, let known = request.header(.ifNoneMatch),
            EntityTag.matches(ifNoneMatch: known, etag: headers[start..<end])
        {
            meter.count(.unchanged)
            return Response(304, headers: headers)
        }
        headers += Self.contentType
        meter.count(outcome)
        return Response(200, headers: headers, body: .bytes(body()))
    }
}
