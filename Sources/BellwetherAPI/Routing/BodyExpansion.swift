internal import Gzip
internal import HTTPWire
internal import Synchronization

/// Expands compressed bodies before they reach a route (docs/reference/http-api.md#compressed-requests).
enum BodyExpansion {
    /// The request with its expanded body; nil if the body is not compressed.
    ///
    /// - Parameter limit: The route's limit in bytes.
    static func expand(_ request: Request, limit: Int) throws(APIError) -> Request? {
        guard request.method.bringsBody, let coding = request.header(.contentEncoding) else { return nil }
        switch String(decoding: coding, as: UTF8.self).lowercased() {
        case "", "identity": return nil
        // RFC 9110 8.4.1.3: `x-gzip` is gzip.
        case "gzip", "x-gzip": break
        default: throw .unsupportedCoding
        }
        guard !request.body.isEmpty else { return nil }
        switch Inflation.expand(request.body, limit: limit) {
        case .success(let body): return request.decoded(body)
        case .failure(.tooLarge): throw .tooLarge("The body has more than \(limit) bytes once it is expanded.")
        case .failure(.tooDense):
            throw .tooLarge(
                """
                The body has more than \(Inflation.ratio) times its compressed size, and more than \
                \(Inflation.freeBytes) bytes, once it is expanded.
                """)
        case .failure(.broken): throw .badRequest("gzip", "the body is not gzip, or not only gzip")
        }
    }
}

/// Counts the expanded bodies' bytes of one worker's unanswered requests. The bound of compressed bodies does not bound
/// these bytes.
final class ExpandedBytes: Sendable {
    private let bytes = Mutex(0)
    private let bound: Int

    init(bound: Int) { self.bound = bound }

    var held: Int { bytes.withLock(\.self) }

    /// Takes a share, which its last owner returns. Nil if too many bytes are held.
    func take(_ count: Int) -> Share? {
        let isTaken = bytes.withLock { held in
            guard held == 0 || held + count <= bound else { return false }
            held += count
            return true
        }
        return isTaken ? Share(count, of: self) : nil
    }

    final class Share: Sendable {
        private let count: Int
        private let whole: ExpandedBytes

        fileprivate init(_ count: Int, of whole: ExpandedBytes) { (self.count, self.whole) = (count, whole) }

        deinit { whole.bytes.withLock { $0 -= count } }
    }
}

extension HTTPMethod {
    fileprivate var bringsBody: Bool {
        switch self {
        case .post, .put, .patch: true
        default: false
        }
    }
}
