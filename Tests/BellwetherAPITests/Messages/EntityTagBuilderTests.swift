import TestSupport
import Testing

@testable import BellwetherAPI

/// The entity tag of a poll's response.
@Suite struct EntityTagBuilderTests {
    private func tag(_ build: (inout EntityTagBuilder) -> Void) -> String {
        var builder = EntityTagBuilder()
        build(&builder)
        var bytes: [UInt8] = []
        builder.append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `It is quoted hexadecimal, and the same for the same`() {
        let tags = (0..<2).map { _ in tag { $0.add((1, 2), 3) } }
        #expect(tags[0] == tags[1])
        #expect(tags[0].wholeMatch(of: /"[0-9a-f]{32}"/) != nil)
    }

    @Test func `Order, counts, numbers and bytes all matter`() {
        let tags = [
            tag { _ in }, tag { $0.add((1, 2), 3) }, tag { $0.add((1, 2), 4) }, tag { $0.add((2, 1), 3) },
            tag {
                $0.add((1, 2), 3)
                $0.add((4, 5), 6)
            },
            tag {
                $0.add((4, 5), 6)
                $0.add((1, 2), 3)
            }, tag { $0.add(0) },
            tag { $0.add(1) }, tag { $0.add(bytes: [0]) }, tag { $0.add(bytes: [1]) }, tag { $0.add(bytes: [1, 0]) },
        ]
        // A number and a byte of the same value are mixed alike, which is safe because they never occupy the same
        // position.
        #expect(tag { $0.add(0) } == tag { $0.add(bytes: [0]) })
        #expect(Set(tags).count == tags.count - 2)
    }

    @Test func `Small numbers do not collide`() {
        var generator = SeededGenerator(seed: 1)
        var seen: Set<String> = []
        for digest in 0..<200 {
            for count in 0..<50 { seen.insert(tag { $0.add((UInt64(digest), generator.next()), count) }) }
        }
        #expect(seen.count == 10_000)
    }
}
