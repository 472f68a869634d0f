import BellwetherJSON
import BellwetherService
import HTTPWire
import Testing

@testable import BellwetherAPI

/// The conversion of every error to a status (docs/reference/http-api.md#errors).
@Suite struct ProblemTests {
    private static let fault = Finding(pointer: JSONPointer(tokens: ["a"]), code: "type", message: "it is a number")
    private static let notJSON: JSONError? = {
        do throws(JSONError) {
            _ = try JSONValue(parsing: "{")
            return nil
        } catch {
            return error
        }
    }()

    private static let cases: [(APIError, Int)] = [
        (.badRequest([fault]), 400), (.unsupportedMediaType("x"), 415), (.unauthorized("x"), 401),
        (.forbidden("x"), 403),
        (.notFound("x"), 404), (.methodNotAllowed(["GET"]), 405), (.conflict(code: "read_only", "x"), 409),
        (.gone(code: "cursor_expired", "x"), 410),
        (.preconditionFailed("x"), 412), (.invalid([fault]), 422), (.store(.overloaded), 503),
        (.store(.unavailable("the disk is full")), 503), (.store(.unusable("no")), 503),
        (APIError(PublishRefusal.unknownApp), 404), (APIError(PublishRefusal.notFound), 404),
        (APIError(PublishRefusal.readOnly), 409), (APIError(PublishRefusal.noTransition(from: .ended, to: .live)), 409),
        (APIError(PublishRefusal.noStage), 409), (APIError(PublishRefusal.ownRevision), 403),
        (APIError(PublishRefusal.keyConflict), 409), (APIError(PublishRefusal.preconditionFailed(current: nil)), 412),
        (APIError(PublishRefusal.faults([fault], warnings: [])), 422),
        (APIError(PublishRefusal.store(.overloaded)), 503),
    ]

    @Test(arguments: cases.indices)
    func `Each error has its status and a whole document`(_ index: Int) {
        let (error, status) = Self.cases[index]
        let problem = Problem(error)
        #expect(problem.status == status)
        #expect(!problem.title.isEmpty)
        #expect(problem.detail?.isEmpty == false)
        #expect(problem.json["status"] == .integer(Int64(status)))
    }

    @Test func `What the disk said is not for clients`() {
        #expect(!Problem(.store(.unavailable("the disk is full"))).json.text.contains("disk"))
    }

    @Test func `Headers that belong to a status are there`() {
        func headers(_ error: APIError) -> String { String(decoding: Problem(error).headers, as: UTF8.self) }
        #expect(headers(.store(.overloaded)) == "Retry-After: 1\r\n")
        #expect(headers(.unauthorized("x")) == "WWW-Authenticate: Bearer\r\n")
        #expect(headers(.methodNotAllowed(["GET", "PUT"])) == "Allow: GET, PUT\r\n")
    }

    @Test func `All faults are in it, and the detail speaks of the first`() {
        let one = Problem(.invalid([Self.fault]))
        #expect(one.detail == "A fault was found: it is a number.")
        #expect(one.json["errors"] == [["pointer": "/a", "code": "type", "message": "it is a number"]])
        #expect(
            Problem(.invalid([Self.fault, Self.fault])).detail == "2 faults were found; the first: it is a number.")
    }

    @Test func `A conflict has a type and a title of its own`() {
        let problem = Problem(.alreadyResponded)
        #expect(problem.type == "urn:bellwether:already_responded")
        #expect(problem.title == "Already answered")
        #expect(Problem(.notFound("x")).type == "about:blank")
    }

    @Test func `A body that is no JSON is told with its place`() throws {
        let problem = Problem(.notJSON(try #require(Self.notJSON)))
        #expect(problem.status == 400)
        #expect(problem.errors.first?.code == "json_truncated")
        #expect(problem.detail?.contains("line 1") == true)
    }
}
