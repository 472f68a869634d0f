import BellwetherBase
import BellwetherCore
import Testing

@testable import BellwetherService

@Suite struct DocumentVersionTests {
    private func document(_ revision: Int, _ text: String) -> StoredDocument {
        StoredDocument(
            revision: revision, source: .api, text: Array(text.utf8), publishedAt: Timestamp(seconds: 0))
    }

    @Test func `The entity tag changes with the text, the revision, the state and the revision in force`() {
        let versions = [
            DocumentVersion(document: document(1, "a"), state: .live),
            DocumentVersion(document: document(1, "b"), state: .live),
            DocumentVersion(document: document(2, "a"), state: .live),
            DocumentVersion(document: document(1, "a"), state: .paused),
            DocumentVersion(document: document(2, "a"), state: .live, inForce: document(1, "a")),
        ]
        #expect(Set(versions.map(\.entityTag)).count == versions.count)
        let again = DocumentVersion(document: document(1, "a"), state: .live)
        #expect(versions[0].entityTag == again.entityTag)
        #expect(
            DocumentVersion(document: document(12, "a"), state: .draft).entityTag.wholeMatch(of: /"12-[0-9a-f]{12}"/)
                != nil)
    }
}
