import Foundation
import Gzip
import TestSupport
import Testing

/// gzip bodies: inflated within a bound, and refused when they are broken.
@Suite struct InflationTests {
    private static let text = Array(String(repeating: "Some text. ", count: 20_000).utf8)

    private func inflate(_ bytes: [UInt8], limit: Int = 1 << 20) -> Result<[UInt8], Inflation.Failure> {
        Inflation.gunzip(([0] + bytes).dropFirst(), limit: limit)
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 220_000])
    func `What gzip made is what it was`(_ count: Int) throws {
        let input = Array(Self.text.prefix(count))
        #expect(inflate(try #require(Deflation.gzip(input, level: 1))) == .success(input))
    }

    @Test func `What the system's gzip made is read`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write(Self.text, to: "x")
        for level in ["-1", "-9"] {
            #expect(try Command.run(["gzip", level, "--keep", "--force", file]).status == 0)
            #expect(inflate([UInt8](try Data(contentsOf: URL(fileURLWithPath: file + ".gz")))) == .success(Self.text))
        }
    }

    @Test func `The bound is kept to the byte`() throws {
        let bytes = try #require(Deflation.gzip(Self.text, level: 1))
        #expect(inflate(bytes, limit: Self.text.count) == .success(Self.text))
        #expect(inflate(bytes, limit: Self.text.count - 1) == .failure(.tooLarge))
        #expect(inflate(bytes, limit: 0) == .failure(.tooLarge))
        #expect(inflate(try #require(Deflation.gzip([], level: 1)), limit: 0) == .success([]))
    }

    @Test func `A bomb ends at the bound`() throws {
        let bomb = try #require(Deflation.gzip([UInt8](repeating: 0, count: 64 << 20), level: 1))
        #expect(bomb.count < 512 << 10)
        #expect(inflate(bomb) == .failure(.tooLarge))
    }

    @Test func `Members follow one another`() throws {
        let parts = ["one", "", "two"].map { Array($0.utf8) }
        let bytes = try parts.flatMap { try #require(Deflation.gzip($0, level: 1)) }
        #expect(inflate(bytes) == .success(Array("onetwo".utf8)))
    }

    @Test func `What is no gzip, or ends early, or goes on is broken`() throws {
        let good = try #require(Deflation.gzip(Array("Some text.".utf8), level: 1))
        for count in 0..<good.count { #expect(inflate(Array(good.prefix(count))) == .failure(.broken), "\(count)") }
        #expect(inflate(good + [0]) == .failure(.broken))
        #expect(inflate(good + good.dropLast()) == .failure(.broken))
        #expect(inflate(Array("{}".utf8)) == .failure(.broken))
        var wrong = good
        wrong[good.count - 5] ^= 1
        #expect(inflate(wrong) == .failure(.broken), "the checksum tells")
    }

    @Test func `No damage crashes`() throws {
        let good = try #require(Deflation.gzip(Array(Self.text.prefix(5000)), level: 1))
        var random = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            if case .success(let output) = inflate(bytes, limit: 100_000) { #expect(output.count <= 100_000) }
        }
    }
}
