import BellwetherJSON
import Testing

@testable import SQLiteStore

struct EventIDKeyTests {
    private static let alike = [
        "8d5f0c1e-6a5b-4f0e-9d51-0123456789ab", "8D5F0C1E-6A5B-4F0E-9D51-0123456789AB",
        "8D5F0C1E-6a5b-4f0e-9d51-0123456789ab", "8d5f0c1e6a5b4f0e9d510123456789ab",
        "{8d5f0c1e-6a5b-4f0e-9d51-0123456789ab}", "8d5f0c1e-6a5b-4f0e-9d51-0123456789a",
        "8d5f0c1e-6a5b-4f0e-9d51-0123456789ag",
        "12345678-1234-1234-1234-123456789012", "8d5f0c1e06a5b-4f0e-9d51-0123456789ab", "", "a", "a\0", "A", "e\u{301}",
        "\u{e9}",
        "\u{1}234567890123456", "0123456789abcdef",
    ]

    @Test func noTwoIDsShareAKey() {
        #expect(Set(Self.alike.map { EventIDKey(Identifier($0)).bytes }).count == Self.alike.count)
    }

    @Test(arguments: ["8d5f0c1e-6a5b-4f0e-9d51-0123456789ab", "8D5F0C1E-6A5B-4F0E-9D51-0123456789AB"])
    func aUUIDTakes17Bytes(_ id: String) {
        let bytes = EventIDKey(Identifier(id)).bytes
        #expect(bytes.count == 17)
        #expect(bytes.dropFirst().prefix(4) == [0x8D, 0x5F, 0x0C, 0x1E])
        #expect(bytes.last == 0xAB)
    }
}
