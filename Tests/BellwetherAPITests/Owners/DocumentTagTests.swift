import BellwetherCore
import BellwetherService
import HTTPWire
import Testing

@testable import BellwetherAPI

@Suite struct DocumentTagTests {
    private func tag(_ revision: Int, _ text: String) -> DocumentTag {
        DocumentTag(
            StoredDocument(
                revision: revision, source: .api, text: Array(text.utf8), publishedAt: Timestamp(seconds: 0)))
    }

    @Test func `It differs by revision and by text`() {
        #expect(Set([tag(1, "a"), tag(2, "a"), tag(1, "b")].map(\.text)).count == 3)
        #expect(tag(1, "a").text == tag(1, "a").text)
        #expect(tag(12, "a").text.wholeMatch(of: /"12-[0-9a-f]{12}"/) != nil)
    }

    @Test func `If-Match may name it, weakly, in a list, by its revision, or any`() {
        let tag = tag(3, "a")
        for condition in [tag.text, "W/\(tag.text)", "\"x\", \(tag.text)", "\"3\"", "*"] {
            #expect(tag.isMeant(by: Array(condition.utf8)[...]), "\(condition)")
        }
        for condition in ["", "\"2\"", "3", self.tag(3, "b").text, "\"3-\"", "nonsense"] {
            #expect(!tag.isMeant(by: Array(condition.utf8)[...]), "\(condition)")
        }
    }
}
