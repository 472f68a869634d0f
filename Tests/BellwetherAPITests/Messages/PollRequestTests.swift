import BellwetherJSON
import HTTPWire
import Testing

@testable import BellwetherAPI

/// The client of a poll, and the request that it sends.
@Suite struct PollRequestTests {
    private func question(
        _ query: String, language: String? = nil, declared: [String] = ["x", "y"]
    ) throws -> PollRequest {
        let headers = language.map { [("Accept-Language", $0)] } ?? []
        let request = try Request(.get, "/m?" + query, headers: headers)
        return try PollRequest(request, ParameterNames(declared))
    }

    @Test(arguments: ["client_id=a&surface=s&x=1", "surface=s&client_id=b&x=1", "surface=s&x=1&client_id=c"])
    func `Polls that differ only in the client ask the same`(_ query: String) throws {
        #expect(try question(query).key == question("surface=s&x=1&client_id=z").key)
    }

    @Test(arguments: [
        "y=2&surface=s&x=1&surface=t&client_id=a", "surface=s&x=1&n=17&y=2&surface=t&client_id=a",
        "surface=s&surface=t&client_id=a&n=1&n=2&x=1&m=~a.b-c_&y=2",
    ])
    func `The order counts for surfaces alone, and what nobody declared for nothing`(_ query: String) throws {
        #expect(try question(query).key == question("client_id=b&x=1&y=2&surface=s&surface=t").key)
    }

    /// A parameter is part of the key if it could be a fault, or could mean something else once it is decoded.
    @Test(arguments: [
        "n=%zz", "n=a+b", "n=", "n", "%78=1", "x=2", "y=1", "x=1&x=1", "user_id=a", "locale=de", "surface=s", "=1",
    ])
    func `What may matter makes another question`(_ parameter: String) throws {
        #expect(try question("client_id=a&x=1&\(parameter)").key != question("client_id=a&x=1").key)
        #expect(try question("client_id=a&\(parameter)").ignoredAttributes == 0)
    }

    @Test func `Surfaces in another order are another question`() throws {
        #expect(try question("client_id=a&surface=s&surface=t").key != question("client_id=a&surface=t&surface=s").key)
        #expect(try question("client_id=a&n=1&m=2&x=1").ignoredAttributes == 2)
    }

    @Test(arguments: ["client_id=anna+phone@example.org", "client_id=a%20+b", "x=1&client%5Fid=+"])
    func `A plus sign that may be a space is refused`(_ query: String) {
        do {
            _ = try question(query)
            Issue.record("\(query) was read")
        } catch APIError.badRequest(let findings) {
            #expect(findings.map(\.code) == ["ambiguous_plus"])
            #expect(findings.first?.message.contains("write %2B for a plus sign, %20 for a space") == true)
        } catch {
            Issue.record(error)
        }
    }

    @Test func `Another query or another language is another question`() throws {
        let questions = [
            try question("client_id=a"), try question("client_id=a&surface=s"), try question("client_id=a&surface=t"),
            try question("client_id=a", language: "de"), try question("client_id=a", language: "fr"),
            try question("client_id=a&x=de"),
        ]
        #expect(Set(questions.map(\.key)).count == questions.count)
    }

    @Test(
        arguments: [
            ("client_id=abc", "abc"), ("client_id=a%20b", "a b"), ("client_id=a%2Bb", "a+b"),
            ("client_id=Zo%C3%AB", "Zoë"),
            ("client_id=a%26b", "a&b"),
            ("&&client_id=x&&", "x"), ("client_id=a=b", "a=b"),
        ])
    func `The client's id is decoded`(_ query: String, _ id: String) throws {
        #expect(try question(query).clientID == id)
    }

    @Test(
        arguments: [
            "", "surface=s", "client_id=", "client_id", "client_id=%zz", "client_id=%ff", "client_id=a&client_id=a",
            "client_id=%07", "client_id=\(String(repeating: "a", count: 129))",
        ])
    func `No id, two, or one that is none is refused`(_ query: String) {
        #expect(throws: APIError.self) { try question(query) }
    }
}
