/// The reason phrases of RFC 9110 15 for the statuses that the daemon uses.
enum StatusPhrase {
    static func text(_ status: Int) -> String { phrase(status).description }

    /// The phrase of a status. An unlisted status is named after its class.
    static func phrase(_ status: Int) -> StaticString {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 204: "No Content"
        case 304: "Not Modified"
        case 308: "Permanent Redirect"
        case 500..<600: serverError(status)
        default: clientError(status)
        }
    }

    private static func clientError(_ status: Int) -> StaticString {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 400..<500: "Client Error"
        default: "Other"
        }
    }

    private static func serverError(_ status: Int) -> StaticString {
        switch status {
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        default: "Server Error"
        }
    }
}
