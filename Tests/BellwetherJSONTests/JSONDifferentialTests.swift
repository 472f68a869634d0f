import BellwetherJSON
import FuzzChecks
import TestSupport
import Testing

/// BellwetherJSON compared with Foundation, over randomly broken texts.
@Suite struct JSONDifferentialTests {
    @Test func whatWeWriteFoundationReadsTheSame() throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<500 {
            let value = RandomJSON.value(using: &generator)
            let agrees = FoundationJSON.agrees(try FoundationJSON.parse(value.encoded), value)
            #expect(agrees, "\(value.text)")
        }
    }

    /// Foundation accepts each accepted text with the same meaning, and rejects each text with a syntax error. The test
    /// leaves out the kinds for which BellwetherJSON is stricter on purpose, and NUL, because Foundation guesses
    /// encodings by it.
    @Test func weAgreeOnBrokenTexts() throws {
        var generator = SeededGenerator(seed: 3)
        var accepted = 0
        var refused = 0
        for _ in 0..<4_000 {
            let bytes = Self.broken(RandomJSON.value(depth: 2, using: &generator).encoded, using: &generator)
            if bytes.contains(0) { continue }
            let theirs = try? FoundationJSON.parse(bytes)
            do {
                let ours = try JSONValue(parsing: bytes)
                let agrees = theirs.map { FoundationJSON.agrees($0, ours) } ?? false
                #expect(agrees, "\(String(decoding: bytes, as: UTF8.self))")
                accepted += 1
            } catch  where [.syntax, .truncated, .trailing].contains(error.kind) {
                let isRefused = theirs == nil
                #expect(isRefused, "\(error): \(String(decoding: bytes, as: UTF8.self))")
                refused += 1
            } catch {}
        }
        #expect(accepted > 100 && refused > 1000)
    }

    private static func broken(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        let marks = Array("[]{},:\"\\0123456789-+.eEtfnu \n/x".utf8)
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            let place = Int.random(in: 0...bytes.count, using: &generator)
            let mark = marks[Int.random(in: 0..<marks.count, using: &generator)]
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: bytes.insert(mark, at: place)
            case 1 where place < bytes.count: bytes.remove(at: place)
            case 2 where place < bytes.count: bytes[place] = mark
            default: bytes.removeLast(bytes.count - place)
            }
        }
        return bytes
    }
}
