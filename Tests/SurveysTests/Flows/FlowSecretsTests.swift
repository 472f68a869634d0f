import BellwetherJSON
import TestSupport
import Testing

@testable import Surveys

/// The texts that count as a repetition of a password (docs/reference/flows.md#fields).
@Suite struct FlowSecretsTests {
    @Test func `A long password is found within a text, a short one is the text`() {
        let secrets = FlowSecrets(["p\u{e4}ss", "123"])
        for text in ["p\u{e4}ss", "the p\u{e4}ssword", "pp\u{e4}ss", "123"] {
            #expect(secrets.isRepeated(by: text), "\(text)")
        }
        for text in ["", "p\u{e4}s", "pass", "1234", "0123", "12"] { #expect(!secrets.isRepeated(by: text), "\(text)") }
        #expect(!FlowSecrets([""]).isRepeated(by: "") && FlowSecrets([""]).isEmpty)
    }

    @Test func `It is dropped wherever it stands`() {
        let value: JSONValue = [
            "a": "hunter2", "b": ["x hunter2 y", "z", ["hunter2"]], "hunter2": 1,
            "c": ["d": ["e": "hunter2", "f": true]],
        ]
        #expect(
            FlowSecrets(["hunter2"]).removed(from: value) == ["b": ["z", []], "c": ["d": ["f": true]]])
        #expect(FlowSecrets().removed(from: value) == value)
    }

    @Test func `Of more passwords than a form has every text is dropped`() {
        let secrets = FlowSecrets((0..<1000).map { "pass\($0)" })
        #expect(secrets.removed(from: ["a": "b", "c": 1] as JSONValue) == [:])
    }

    /// Texts of two letters, which contain many repetitions.
    @Test func `The search finds what a plain search finds`() {
        var random = SeededGenerator(seed: 7)
        func text(_ count: ClosedRange<Int>) -> String {
            String((0..<Int.random(in: count, using: &random)).map { _ in "ab".randomElement(using: &random) ?? "a" })
        }
        var found = 0
        for _ in 0..<2000 {
            let (password, whole) = (text(4...8), text(0...40))
            let isThere = Array(whole).indices.contains { whole.dropFirst($0).hasPrefix(password) }
            #expect(FlowSecrets([password]).isRepeated(by: whole) == isThere, "\(password) in \(whole)")
            if isThere { found += 1 }
        }
        #expect((200...1800).contains(found))
    }
}
