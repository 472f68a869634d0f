import BellwetherBase
import BellwetherCore
import BellwetherService
import HTTPWire
import Testing

@testable import BellwetherAPI

@Suite struct WriteConditionsTests {
    private let version = DocumentVersion(
        document: StoredDocument(
            revision: 3, source: .api, text: Array("a".utf8), publishedAt: Timestamp(seconds: 0)), state: .live)

    private func holds(_ name: String, _ value: String, _ version: DocumentVersion?) throws -> Bool {
        let request = try Request(.put, "/x", headers: [(name, value)])
        return WriteConditions(request).hold(for: version)
    }

    @Test func `If-Match may name the tag, weakly, in a list, the revision, or any document`() throws {
        let tag = version.entityTag
        for value in [tag, "W/\(tag)", "\"x\", \(tag)", "\"3\"", "*"] {
            #expect(try holds("If-Match", value, version), "\(value)")
            #expect(try !holds("If-Match", value, nil), "\(value)")
        }
        let paused = DocumentVersion(document: version.document, state: .paused)
        for value in ["", "\"2\"", "3", paused.entityTag, "\"3-\"", "nonsense"] {
            #expect(try !holds("If-Match", value, version), "\(value)")
        }
    }

    @Test func `If-None-Match refuses the document that it names, and with a star any`() throws {
        for value in [version.entityTag, "W/\(version.entityTag)", "\"x\", \(version.entityTag)", "*"] {
            #expect(try !holds("If-None-Match", value, version), "\(value)")
            #expect(try holds("If-None-Match", value, nil), "\(value)")
        }
        #expect(try holds("If-None-Match", "\"x\"", version))
        #expect(WriteConditions(try Request(.put, "/x")).hold(for: version))
    }
}
