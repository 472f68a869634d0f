/// A request method. Methods are case-sensitive tokens. A method that is not listed is `other`, which no route serves.
public enum HTTPMethod: Sendable, Hashable {
    case get, head, post, put, delete, options, patch, other

    /// The token as `Allow` writes it; empty for `other`.
    public var name: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .patch: "PATCH"
        case .other: ""
        }
    }

    init(token: Span<UInt8>) {
        self =
            switch token.count {
            case 3 where token.equals("GET"): .get
            case 3 where token.equals("PUT"): .put
            case 4 where token.equals("POST"): .post
            case 4 where token.equals("HEAD"): .head
            case 5 where token.equals("PATCH"): .patch
            case 6 where token.equals("DELETE"): .delete
            case 7 where token.equals("OPTIONS"): .options
            default: .other
            }
    }
}
