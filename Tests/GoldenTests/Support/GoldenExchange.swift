import BellwetherBase
import BellwetherCore
import HTTPWire
import TestSupport

/// A recorded request. Its target and header fields may refer to earlier responses: `{tag 7}` is the entity tag of
/// exchange 7, `{next 7}` its telemetry cursor. So a request stays valid if tags and cursors change their form.
struct GoldenRequest: Equatable {
    var time: Timestamp
    var worker = 0
    /// `RESTART` closes the store and opens it again.
    var method = "GET"
    var target: String
    var headers: [String] = []
    var body = ""

    static let restart = "RESTART"

    /// The request with its references resolved. A body has the type JSON.
    func resolved(_ resolve: (String) -> String) throws -> Request {
        let methods = Dictionary(uniqueKeysWithValues: [HTTPMethod.get, .post, .put, .delete].map { ($0.name, $0) })
        guard let method = methods[method] else { throw Failure("no method \(method)") }
        var fields = headers.map { header in
            let parts = header.split(separator: ": ", maxSplits: 1)
            return (name: String(parts[0]), value: resolve(String(parts[1])))
        }
        if !body.isEmpty, !fields.contains(where: { $0.name == "Content-Type" }) {
            fields.append((name: "Content-Type", value: "application/json"))
        }
        return try Request(method, resolve(target), headers: fields, body: Array(body.utf8))
    }
}

/// A request and its response as text (`RecordedText`).
struct GoldenExchange: Equatable {
    let request: GoldenRequest
    let answer: String
}
