internal import BellwetherJSON
internal import FoundationEssentials

/// The response of a daemon.
struct RemoteResponse: Sendable {
    let status: Int
    let body: [UInt8]
    /// The header fields by lowercase name.
    private let headers: [String: String]

    init(status: Int, headers: [String: String], body: [UInt8]) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    func header(_ name: String) -> String? { headers[name.lowercased()] }

    func json() throws(RemoteFailure) -> JSONValue {
        do {
            return try JSONValue(parsing: body, limits: .kept)
        } catch {
            throw .unreadable(error)
        }
    }

    /// The JSON values, one on each line.
    func lines() throws(RemoteFailure) -> [JSONValue] {
        var values: [JSONValue] = []
        for line in body.split(separator: 0x0A) {
            do {
                values.append(try JSONValue(parsing: Array(line), limits: .kept))
            } catch {
                throw .unreadable(error)
            }
        }
        return values
    }
}

/// The reason why a request to a running daemon failed. Its description is for people, and has several lines if the
/// daemon reported several faults.
enum RemoteFailure: Error, CustomStringConvertible {
    case unusable(URL)
    case unreachable(URL, String)
    /// The reason why libcurl is missing, which commands need for requests.
    case noLibrary(String)
    /// The status is not 2xx. The response usually is a problem document (RFC 9457).
    case refused(RemoteResponse)
    case unreadable(JSONError)

    var description: String {
        switch self {
        case .unusable(let url): "\(url) is not a daemon's URL."
        case .unreachable(let url, let reason): "\(url) cannot be reached: \(reason)"
        case .noLibrary(let reason):
            "libcurl.so.4 is not installed (apt-get install libcurl4), or cannot be used: \(reason)"
        case .refused(let response): Self.sentences(of: response).joined(separator: "\n")
        case .unreadable(let error): "The answer is not JSON: \(error.message)."
        }
    }

    /// The status, then each fault with its location; without faults, the problem's detail.
    private static func sentences(of response: RemoteResponse) -> [String] {
        guard let problem = try? response.json().object, let title = problem["title"]?.string else {
            return ["The daemon answered \(response.status)."]
        }
        let faults = (problem["errors"]?.array ?? []).compactMap(\.object).map { fault in
            let pointer = fault["pointer"]?.string ?? ""
            let code = fault["code"]?.string ?? "?"
            return "  \(pointer.isEmpty ? "" : pointer + ": ")\(fault["message"]?.string ?? "?") [\(code)]".plain
        }
        guard faults.isEmpty else { return ["\(response.status) \(title.plain):"] + faults }
        return ["\(response.status) \(title.plain): \(problem["detail"]?.string?.plain ?? "no reason given")"]
    }
}
