import BellwetherBase
import BellwetherCore
import BellwetherJSON
import Samples
import TestSupport
import Testing

/// The stored bytes of a client.
@Suite struct ClientStateEncodingTests {
    @Test(arguments: 0..<100)
    func roundTrip(_ seed: UInt64) throws {
        let state = StateGenerator.state(seed: seed)
        let decoded = try #require(ClientState(encoded: state.encoded()))
        #expect(decoded == state)
        #expect(decoded.encoded() == state.encoded())
    }

    @Test func emptyStateIsFewBytes() throws {
        let bytes = ClientState().encoded()
        #expect(bytes.count <= 6)
        #expect(ClientState(encoded: bytes) == ClientState())
    }

    @Test(arguments: 0..<20)
    func cutBytesAreRefused(_ seed: UInt64) {
        let bytes = StateGenerator.state(seed: seed).encoded()
        for count in 0..<bytes.count { #expect(ClientState(encoded: bytes[..<count]) == nil) }
    }

    @Test(arguments: 0..<50)
    func changedBytesNeverTrap(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bytes = StateGenerator.state(seed: seed).encoded()
        for _ in 0..<50 {
            bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            if let state = ClientState(encoded: bytes) { #expect(ClientState(encoded: state.encoded()) == state) }
        }
    }

    @Test func anotherFormatIsRefused() {
        var bytes = ClientState().encoded()
        bytes[0] = 3
        #expect(ClientState(encoded: bytes) == nil)
        #expect(ClientState(encoded: [UInt8]()) == nil)
    }

    @Test func filledPartsAreSections() throws {
        let bytes: [UInt8] = [2, 2, 1, 1, 5, 2, 6, 1, 1, 97, 1, 2, 3]
        let state = try #require(ClientState(encoded: bytes))
        #expect(state.reportedRevision == 5)
        #expect(state.ledger["a"] == LedgerEntry(message: "a", displayCount: 2, dismissals: 3, isClicked: true))
        #expect(state.encoded() == bytes)
    }

    @Test func theFormatWithoutSectionsIsRead() throws {
        let state = try #require(ClientState(encoded: [1, 5, 1, 1, 97, 1, 2, 3, 1, 0]))
        #expect(state.encoded() == [2, 2, 1, 1, 5, 2, 6, 1, 1, 97, 1, 2, 3])
        #expect(ClientState(encoded: [1, 0, 0, 1, 0]) == ClientState())
    }

    @Test func exposuresStandBetweenUnknownSections() throws {
        let bytes: [UInt8] = [2, 3, 15, 1, 7, 20, 7, 1, 1, 101, 1, 97, 1, 102, 30, 1, 8]
        let state = try #require(ClientState(encoded: bytes))
        #expect(!state.exposures.isEmpty)
        #expect(state.encoded() == bytes)
    }

    @Test func `The mark of changes is a section of its own`() throws {
        var state = ClientState()
        state.changes.advance(at: Timestamp(seconds: 300), by: nil)
        #expect(state.encoded() == [2, 1, 14, 3, 172, 2, 0])
        #expect(ClientState(encoded: state.encoded()) == state)
        state.changes.advance(at: Timestamp(seconds: 300), by: ChangeMark.StreamKey(client: "c", name: "tab"))
        #expect(state.changes.last == 301 && ClientState(encoded: state.encoded()) == state)
        for mark in [[2, 0, 0], [1, 5], [3, 5, 1, 0], [3, 5, 1, 6]] as [[UInt8]] {
            #expect(ClientState(encoded: [2, 1, 14] + mark) == nil)
        }
    }

    @Test func anUnknownSectionIsKept() throws {
        let bytes: [UInt8] = [2, 2, 1, 1, 5, 200, 1, 3, 7, 8, 9]
        var state = try #require(ClientState(encoded: bytes))
        #expect(state.encoded() == bytes)
        state.reportedRevision = 0
        #expect(state.encoded() == [2, 1, 200, 1, 3, 7, 8, 9])
    }

    @Test(
        arguments: [
            [2, 2, 2, 6, 1, 1, 97, 1, 2, 3, 1, 1, 5], [2, 2, 1, 1, 5, 1, 1, 5], [2, 1, 1, 2, 5, 5], [2, 1, 1, 1, 0],
            [2, 1, 1, 0], [2, 1, 2, 1, 0], [2, 1, 0, 1, 0], [2, 0, 0], [2, 1, 1, 1, 5, 0],
        ] as [[UInt8]])
    func sectionsHaveOneSpelling(_ bytes: [UInt8]) { #expect(ClientState(encoded: bytes) == nil) }
}

/// Random clients.
enum StateGenerator {
    static let keys = ["a", "b", "m-1", "m-2", "ein längerer Schlüssel", "e\u{301}", "\u{E9}", ""]

    static func state(seed: UInt64) -> ClientState {
        var random = SeededGenerator(seed: seed)
        var state = ClientState()
        state.reportedRevision = Bool.random(using: &random) ? 0 : UInt64.random(in: 0...(.max), using: &random)
        for key in keys where Bool.random(using: &random) {
            state.ledger[Identifier(key)] = LedgerEntry(
                message: Identifier(key), displayCount: [0, 1, 300, .max].randomElement(using: &random) ?? 0,
                dismissals: [0, 1, .max].randomElement(using: &random) ?? 0, isClicked: Bool.random(using: &random),
                isExpired: Bool.random(using: &random), isAnswered: Bool.random(using: &random))
        }
        for name in ["homepage_viewed", "x"] where Bool.random(using: &random) {
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let ago = Int64.random(in: 0...40_000_000, using: &random)
                _ = state.behavior.recordPast(
                    Identifier(name), count: UInt64.random(in: 1...5, using: &random),
                    at: Sample.now.adding(seconds: -ago),
                    now: Sample.now)
            }
        }
        return state
    }
}
