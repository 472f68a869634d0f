import Foundation
import Gzip
import TestSupport
import Testing

/// gzip bodies: they are inflated within a limit, and refused if they are broken.
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

    @Test func `A body is at most 100 times larger than it came, from 64 KiB on`() throws {
        func expand(_ count: Int, limit: Int = 1 << 20) throws -> Result<Int, Inflation.Failure> {
            let bytes = try #require(Deflation.gzip([UInt8](repeating: 0x20, count: count), level: 9))
            return Inflation.expand(bytes[...], limit: limit).map(\.count)
        }
        #expect(try expand(65_536) == .success(65_536))
        #expect(try expand(65_537) == .failure(.tooDense))
        #expect(try expand(1 << 20) == .failure(.tooDense))
        #expect(try expand(2000, limit: 1999) == .failure(.tooLarge))
        var random = SeededGenerator(seed: 3)
        let noise = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) }
        let dense = try #require(
            Deflation.gzip(noise + [UInt8](repeating: 0x20, count: 400_000 - noise.count), level: 9))
        #expect(Inflation.expand(dense[...], limit: 1 << 20).map(\.count) == .success(400_000))
        #expect(Inflation.expand(dense[...], limit: 399_999) == .failure(.tooLarge))
    }

    @Test func `Nothing expands beyond its bounds`() throws {
        var random = SeededGenerator(seed: 33)
        for _ in 0..<300 {
            let size = Int.random(in: 0...200_000, using: &random)
            let noise = Int.random(in: 0...min(size, 2000), using: &random)
            var input = (0..<noise).map { _ in UInt8.random(in: 0...255, using: &random) }
            input += [UInt8](repeating: 0x20, count: size - noise)
            let bytes = try #require(Deflation.gzip(input, level: 6))
            let limit = Int.random(in: 0...250_000, using: &random)
            switch Inflation.expand(bytes[...], limit: limit) {
            case .success(let output):
                #expect(output == input && size <= limit)
                #expect(size <= max(Inflation.freeBytes, Inflation.ratio * bytes.count))
            case .failure(.tooLarge): #expect(size > limit)
            case .failure(.tooDense): #expect(size > max(Inflation.freeBytes, Inflation.ratio * bytes.count))
            case .failure(.broken): Issue.record("what was compressed is gzip")
            }
        }
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
