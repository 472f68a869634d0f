import BellwetherJSON
import TestSupport
import Testing

@testable import BellwetherService

/// The members of `extra` that have columns.
@Suite struct ExtraMembersTests {
    private static let names = ExtraMember.allCases

    private static func text(_ value: JSONValue?) -> String? { value?.string }

    /// The whole number of a tree's member, as `ExtraMembers` defines it.
    private static func integer(_ value: JSONValue?) -> Int64? { value?.integer ?? value?.string.flatMap { Int64($0) } }

    private static func isEqual(_ text: String, _ tree: JSONObject) -> Bool {
        let members = ExtraMembers(text)
        return names.allSatisfy { name in
            members.text(name) == self.text(tree[name.text]) && members.integer(name) == integer(tree[name.text])
        }
    }

    @Test(arguments: [
        #"{}"#, #"{"slug":"a"}"#, #"{"slug":"a\"b\\","flow_id":"é\n😀"}"#, #"{"revision":3,"option_index":"7"}"#,
        #"{"revision":1.5,"option_index":9223372036854775807}"#, #"{"x":{"slug":"inner"},"slug":"outer"}"#,
        #"{"x":[{"slug":"inner"},"}"],"locale":"de"}"#, #"{"slug":null,"step_id":true,"branch":["a"]}"#,
        #"{"x":"a,\"slug\":\"b\"","slug":"c"}"#, #"{"slug" : "a" , "revision" : 2 }"#, #"{"slugs":"a","lug":"b"}"#,
    ])
    func `They are those of the tree`(_ text: String) throws {
        let tree = try #require(try JSONValue(parsing: text).object)
        #expect(Self.isEqual(text, tree))
    }

    @Test(arguments: 0..<Trials.count(300, many: 20_000))
    func `They are those of the tree of a random text`(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var tree: JSONObject = [:]
        for _ in 0..<Int.random(in: 0...8, using: &generator) {
            let isKnown = Bool.random(using: &generator)
            let name = isKnown ? Self.names.randomElement(using: &generator)?.text ?? "" : "other"
            tree[name] = RandomJSON.value(depth: 3, using: &generator)
        }
        #expect(Self.isEqual(JSONValue.object(tree).text, tree))
    }

    @Test(arguments: ["", "{", "[]", "null", #"{"slug"#, #"{"slug":"#, #"{"slug":"a"#, #"{"slug":{"a":1"#])
    func `In a text that is no object, there is none`(_ text: String) {
        let members = ExtraMembers(text)
        #expect(Self.names.allSatisfy { members.text($0) == nil && members.integer($0) == nil })
    }
}
