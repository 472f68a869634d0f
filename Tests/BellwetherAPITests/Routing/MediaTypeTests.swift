import HTTPWire
import Testing

@testable import BellwetherAPI

@Suite struct MediaTypeTests {
    private func type(_ headers: [(name: String, value: String)]) throws -> MediaType {
        try MediaType(try Request(.post, "/", headers: headers))
    }

    @Test(
        arguments: [
            "application/json", "Application/JSON ; charset=utf-8", "application/merge-patch+json",
            "application/x-www-form-urlencoded",
        ])
    func `JSON, said or unsaid`(_ name: String) throws {
        #expect(try type([("Content-Type", name)]) == .json)
        #expect(try type([]) == .json)
    }

    @Test(arguments: ["application/x-ndjson", "application/ndjson;x=y", "application/jsonl"])
    func `One document a line`(_ name: String) throws {
        #expect(try type([("Content-Type", name)]) == .ndjson)
    }

    @Test(arguments: [
        "text/html", "text/plain", "application/xml", "application/octet-stream", "multipart/form-data; boundary=json",
    ])
    func `Something else`(_ name: String) {
        #expect(throws: APIError.self) { try type([("Content-Type", name)]) }
    }
}
