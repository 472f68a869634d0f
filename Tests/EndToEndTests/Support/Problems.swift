import BellwetherJSON
import TestSupport
import Testing

/// Expects a problem document (docs/reference/http-api.md#errors) of a status, and returns its errors.
@discardableResult
func expectProblem(
    _ answer: HTTPResponse, _ status: Int, sourceLocation: SourceLocation = #_sourceLocation
) -> [JSONValue] {
    #expect(answer.status == status, "\(answer.text)", sourceLocation: sourceLocation)
    #expect(answer.header("Content-Type") == "application/problem+json", sourceLocation: sourceLocation)
    let problem = answer.json
    #expect(problem["status"] == .integer(Int64(status)), sourceLocation: sourceLocation)
    #expect(problem["type"].string?.isEmpty == false, sourceLocation: sourceLocation)
    #expect(problem["title"].string?.isEmpty == false, sourceLocation: sourceLocation)
    #expect(answer.header("X-Request-Id")?.isEmpty == false, sourceLocation: sourceLocation)
    return problem["errors"].array ?? []
}

/// Findings as `pointer code`, for comparison.
func places(_ findings: [JSONValue]) -> [String] {
    findings.map { "\($0["pointer"].string ?? "?") \($0["code"].string ?? "?")" }
}

func places(_ findings: JSONValue) -> [String] { places(findings.array ?? []) }
