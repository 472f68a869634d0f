internal import Foundation

/// The seeds of a fuzz target (`Fuzz/Corpus/NAME`) and its words (`Fuzz/Words/NAME.dict`), for a short run without
/// libFuzzer. Its mutations are random, but the same in every run.
public struct FuzzCorpus: Sendable {
    /// The seeds, in the order of their file names.
    public let seeds: [(name: String, bytes: [UInt8])]
    private let words: [[UInt8]]

    public init(_ target: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fuzz")
        let folder = root.appending(path: "Corpus/\(target)")
        seeds = try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted().map {
            ($0, Array(try Data(contentsOf: folder.appending(path: $0))))
        }
        let dictionary = try String(contentsOf: root.appending(path: "Words/\(target).dict"), encoding: .utf8)
        words = try dictionary.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(Self.word)
        guard !seeds.isEmpty, !words.isEmpty else { throw Failure("the corpus \(target) is empty") }
    }

    /// The report of a run: the number of inputs for each outcome, and every input that violated a property, with the
    /// violation.
    public struct Report<Outcome: Hashable> {
        public var outcomes: [Outcome: Int] = [:]
        public var broken: [String] = []
    }

    /// Tries all seeds, and then a number of mutations. A trap ends the process without a report. To find its input,
    /// set the variable `FUZZ_INPUT` to a file name: each input is written to that file before it is tried.
    public func run<Outcome: Hashable>(
        mutations: Int, _ check: ([UInt8]) throws -> Outcome
    ) -> Report<Outcome> {
        let trace = ProcessInfo.processInfo.environment["FUZZ_INPUT"].map { URL(filePath: $0) }
        var report = Report<Outcome>()
        func attempt(_ bytes: [UInt8]) {
            if let trace { try? Data(bytes).write(to: trace) }
            do {
                report.outcomes[try check(bytes), default: 0] += 1
            } catch {
                report.broken.append("\(error): \(String(decoding: bytes, as: UTF8.self).debugDescription)")
            }
        }
        for seed in seeds { attempt(seed.bytes) }
        var generator = SeededGenerator(seed: UInt64(seeds.count))
        for _ in 0..<mutations { attempt(mutation(using: &generator)) }
        return report
    }

    private func mutation(using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = seeds[Int.random(in: seeds.indices, using: &generator)].bytes
        // Half of the mutations only exchange words and keep the form: a parser stops early at an input with a broken
        // form.
        if Bool.random(using: &generator) {
            swapWords(&bytes, using: &generator)
        } else {
            for _ in 0..<Int.random(in: 1...4, using: &generator) { change(&bytes, using: &generator) }
        }
        return bytes
    }

    /// Replaces words by other words, or removes one.
    private func swapWords(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
        for _ in 0..<Int.random(in: 4...24, using: &generator) {
            let old = words[Int.random(in: words.indices, using: &generator)]
            let new = words[Int.random(in: words.indices, using: &generator)]
            guard let index = bytes.firstRange(of: old) else { continue }
            bytes.replaceSubrange(index, with: Int.random(in: 0..<16, using: &generator) == 0 ? [] : new)
        }
    }

    private func change(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
        let index = Int.random(in: 0...bytes.count, using: &generator)
        let end = min(bytes.count, index + Int.random(in: 1...16, using: &generator))
        switch Int.random(in: 0..<7, using: &generator) {
        case 0 where index < bytes.count: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1 where index < bytes.count: bytes[index] = .random(in: 0...255, using: &generator)
        case 2: bytes.removeSubrange(index..<end)
        case 3: bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: 0...bytes.count, using: &generator))
        case 4:
            let other = seeds[Int.random(in: seeds.indices, using: &generator)].bytes
            bytes.replaceSubrange(index..., with: other.suffix(max(0, other.count - index)))
        case 5: bytes.replaceSubrange(index..<end, with: words[Int.random(in: words.indices, using: &generator)])
        default: bytes.insert(contentsOf: words[Int.random(in: words.indices, using: &generator)], at: index)
        }
    }

    /// The bytes of a line of libFuzzer's dictionaries: text between quotation marks, with `\\`, `\"` and `\xAB`.
    private static func word(_ line: Substring) throws -> [UInt8] {
        guard line.hasPrefix("\""), line.hasSuffix("\""), line.utf8.count > 2 else { throw Failure("no word: \(line)") }
        var rest = Array(line.utf8.dropFirst().dropLast())[...]
        var word: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                word.append(byte)
                continue
            }
            guard let escaped = rest.popFirst() else { throw Failure("no word: \(line)") }
            guard escaped == UInt8(ascii: "x") else {
                word.append(escaped)
                continue
            }
            guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                throw Failure("no word: \(line)")
            }
            word.append(value)
            rest = rest.dropFirst(2)
        }
        return word
    }
}
