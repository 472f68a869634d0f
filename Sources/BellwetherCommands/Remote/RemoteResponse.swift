package import BellwetherJSON
package import FoundationEssentials

/// The response of a daemon.
package struct RemoteResponse: Sendable {
    package let status: Int
    package let body: [UInt8]
    /// The header fields by lowercase name.
    private let headers: [String: String]

    package init(status: Int, headers: [String: String], body: [UInt8]) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    package func header(_ name: String) -> String? { headers[name.lowercased()] }

    package func json() throws(RemoteFailure) -> JSONValue {
        do {
            return try JSONValue(parsing: body, limits: .kept)
        } catch {
            throw .unreadable(error)
        }
    }

    /// The JSON values, one on each line.
    package func lines() throws(RemoteFailure) -> [JSONValue] {
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

    /// The findings about the sent document, from a problem document or a receipt.
    package func findings(_ kind: String) -> [Finding] {
        let members = (try? json())?.object?[kind]?.array ?? []
        return members.compactMap(\.object).map { finding in
            Finding(
                pointer: JSONPointer(written: finding["pointer"]?.string ?? ""),
                code: finding["code"]?.string ?? "unknown", message: finding["message"]?.string ?? "no reason given",
                suggestion: finding["did_you_mean"]?.string)
        }
    }
}

/// The reason why a request to a running daemon failed. Its description is for people, and has several lines if the
/// daemon reported several faults.
package enum RemoteFailure: Error, CustomStringConvertible {
    case unusable(URL)
    case unreachable(URL, String)
    /// The reason why libcurl is missing, which commands need for requests.
    case noLibrary(String)
    /// The status is not 2xx. The response usually is a problem document (RFC 9457).
    case refused(RemoteResponse)
    case unreadable(JSONError)

    package var description: String {
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

extension JSONPointer {
    /// Reads a pointer in the written form (RFC 6901 section 3).
    fileprivate init(written text: String) {
        let tokens = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        self.init(tokens: tokens.map { Self.unescaped($0) })
    }

    private static func unescaped(_ token: Substring) -> String {
        var text = ""
        var isEscaped = false
        for scalar in token.unicodeScalars {
            switch (isEscaped, scalar) {
            case (false, "~"): isEscaped = true
            case (true, "0"): (text, isEscaped) = (text + "~", false)
            case (true, "1"): (text, isEscaped) = (text + "/", false)
            default:
                text.unicodeScalars.append(scalar)
                isEscaped = false
            }
        }
        return text
    }
}
