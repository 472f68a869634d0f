import HTTPWire
import TestSupport
import Testing

@testable import BellwetherAPI

@Suite struct CompressionTests {
    @Test(
        arguments: [
            (nil, false), ("", false), ("gzip", true), ("GZip", true), ("deflate, gzip", true), ("gzip;q=0", false),
            ("gzip; q=0.0", false), ("gzip;q=0.001", true), ("*", true), ("*;q=0", false), ("*, gzip;q=0", false),
            ("gzip;q=0, *", false), ("gzip ; q=1", true), ("xgzip", false), ("gzip;q=nonsense", false), (",,", false),
        ] as [(String?, Bool)])
    func `gzip is accepted where it is listed with a weight`(_ header: String?, _ isAccepted: Bool) {
        #expect(Compression.isAccepted(header.map { Array($0.utf8)[...] }) == isAccepted)
    }

    @Test func `What comes out is gzip, and gunzip gives it back`() throws {
        var generator = SeededGenerator(seed: 3)
        for size in [0, 1, 1025, 100_000] {
            let input = (0..<size).map { _ in UInt8.random(in: 0x61...0x64, using: &generator) }
            let output = try #require(Compression.gzip(input))
            #expect(output.starts(with: [0x1F, 0x8B, 8]))
            #expect(try gunzip(output) == input)
        }
    }

    /// Decompresses with the system's tool.
    private func gunzip(_ bytes: [UInt8]) throws -> [UInt8] {
        let folder = try TemporaryDirectory()
        let file = try folder.write(bytes, to: "x.gz")
        return Array(try Command.run(["gunzip", "--stdout", file]).output.utf8)
    }

    @Test func `Above a kilobyte, and the tag becomes a weak one`() throws {
        let request = try Request(.get, "/", headers: [("Accept-Encoding", "gzip")])
        var small = Response(200, body: .bytes([UInt8](repeating: 0x20, count: 1024)))
        Compression.apply(to: &small, for: request, keeping: CompressedResponses(capacity: 1, bytes: 1 << 20))
        #expect(small.headers.isEmpty)
        var large = Response(
            200, body: .pieces([[UInt8](repeating: 0x20, count: 1000), [0x20], [UInt8](repeating: 0x20, count: 24)]))
        large.add("X", "1")
        large.add("ETag", "\"abc\"")
        Compression.apply(to: &large, for: request, keeping: CompressedResponses(capacity: 1, bytes: 1 << 20))
        #expect(large.body.count < 100)
        #expect(
            String(decoding: large.headers, as: UTF8.self)
                == "X: 1\r\nETag: W/\"abc\"\r\nVary: Accept-Encoding\r\nContent-Encoding: gzip\r\n")
        #expect(try gunzip(large.body.joined) == [UInt8](repeating: 0x20, count: 1025))
    }

    @Test(arguments: [
        ("gzip", "W/\"abc\"", "ETag: W/\"abc\"\r\nVary: Accept-Encoding\r\n"),
        ("gzip", "\"abc\"", "ETag: \"abc\"\r\n"), ("identity", "W/\"abc\"", "ETag: \"abc\"\r\n"),
    ])
    func `Who has the compressed answer is told its tag`(_ coding: String, _ known: String, _ fields: String) throws {
        let request = try Request(.get, "/", headers: [("Accept-Encoding", coding), ("If-None-Match", known)])
        var response = Response(304)
        response.add("ETag", "\"abc\"")
        Compression.apply(to: &response, for: request, keeping: CompressedResponses(capacity: 1, bytes: 1 << 20))
        #expect(String(decoding: response.headers, as: UTF8.self) == fields)
    }

    @Test func `An answer is compressed once for its path and tag`() throws {
        let answers = CompressedResponses(capacity: 2, bytes: 1 << 20)
        let path = Array("/a".utf8)[...]
        func answer(_ byte: UInt8, tag: String) -> Response {
            var response = Response(200, body: .bytes([UInt8](repeating: byte, count: 2000)))
            response.add("ETag", tag)
            return response
        }
        let first = try #require(answers.gzip(answer(1, tag: "\"a\""), path: path))
        // A tag identifies a body. The test gives the same tag to another body to make the cache visible.
        #expect(answers.gzip(answer(2, tag: "\"a\""), path: path) == first)
        #expect(answers.gzip(answer(2, tag: "\"b\""), path: path) != first)
        #expect(answers.gzip(answer(2, tag: "\"a\""), path: Array("/b".utf8)[...]) != first)
        // The cache was full, so it was cleared.
        #expect(answers.gzip(answer(2, tag: "\"a\""), path: path) != first)
    }

    @Test func `What is remembered is bounded in bytes`() throws {
        let answers = CompressedResponses(capacity: 9, bytes: 300)
        func gzip(_ body: [UInt8], tag: String) throws -> [UInt8] {
            var response = Response(200, body: .bytes(body))
            response.add("ETag", tag)
            return try #require(answers.gzip(response, path: []))
        }
        let large = (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        let first = try gzip(large, tag: "\"a\"")
        try #require(first.count > 300)
        let flat = [UInt8](repeating: 1, count: 40_000)
        #expect(try gzip(flat, tag: "\"a\"") != first, "too large to be remembered")
        let second = try gzip(flat, tag: "\"a\"")
        try #require((101...299).contains(second.count))
        for tag in ["\"b\"", "\"c\"", "\"d\""] { _ = try gzip(flat, tag: tag) }
        #expect(try gzip([2], tag: "\"a\"") != second, "it started anew")
        #expect(try gzip([2], tag: "\"d\"") == second)
    }

    @Test func `A change of Accept-Encoding is seen`() {
        let answers = CompressedResponses(capacity: 1, bytes: 1 << 20)
        for (header, isAccepted) in [("gzip", true), ("br", false), ("gzip", true), ("gzip;q=0", false)] {
            #expect(answers.areAccepted(by: Array(header.utf8)[...]) == isAccepted)
        }
        #expect(!answers.areAccepted(by: nil))
    }
}
