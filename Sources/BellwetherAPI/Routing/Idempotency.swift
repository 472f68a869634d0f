import BellwetherJSON
internal import BellwetherService
internal import HTTPWire

/// `Idempotency-Key` on owners' writes and on answers (docs/reference/http-api.md#idempotency-keys). The same key with
/// the same body gets the first response.
enum Idempotency {
    ///
    /// - Parameter respondent: The respondent on clients' routes, where many clients share a token.
    static func claim(
        _ call: some RoutedRequest, of respondent: Identifier? = nil
    ) throws(APIError) -> IdempotencyClaim? {
        guard let header = call.request.header(.idempotencyKey) else { return nil }
        guard (1...128).contains(header.count), header.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .badRequest("idempotency_key", "an idempotency key is 1 to 128 visible ASCII characters")
        }
        let path = Identifier(String(decoding: call.request.path, as: UTF8.self))
        return IdempotencyClaim(
            token: call.principal?.name ?? "", path: respondent.map { "\(path)#\($0)" } ?? path,
            key: Identifier(String(decoding: header, as: UTF8.self)), bodyDigest: Digest.sha256(content(call.request)))
    }

    /// The content that a repeated request must have in common: the method, the query and the body.
    private static func content(_ request: Request) -> [UInt8] {
        Array("\(request.method.name) ".utf8) + (request.query ?? []) + "\n".utf8 + request.body
    }

    static func response(_ status: Int, _ body: [UInt8]) -> Response {
        var response = Response(status, body: body.isEmpty ? .empty : .bytes(body))
        guard !body.isEmpty else { return response }
        response.add("Content-Type", status < 400 ? "application/json" : "application/problem+json")
        return response
    }
}
