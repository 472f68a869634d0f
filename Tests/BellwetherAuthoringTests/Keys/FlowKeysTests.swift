import BellwetherJSON
import Foundation
import Testing

@testable import BellwetherAuthoring
@testable import Surveys

/// The tables of a flow's keys are those that the widget and the daemon read, and those of the reference.
@Suite struct FlowKeysTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func texts(in folder: String, _ suffix: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
            .filter { $0.hasSuffix(suffix) }.map { try text("\(folder)/\($0)") }
    }

    private static func names(_ objects: [FormatObject]) -> Set<String> { Set(objects.flatMap(\.names)) }

    private static let blocks = names(
        FlowBlockKeys.types + [FlowBlockKeys.common, FlowBlockKeys.answer, FlowPartKeys.textStyle])
    private static let fields = names(FlowFieldKeys.types + [FlowFieldKeys.common, FlowFieldKeys.choice]).union(blocks)

    /// The keys that a script reads: `object.key`, and the texts in calls such as `first(object, "key", "other")`.
    private static func keys(of objects: String, in script: String) throws -> Set<String> {
        let members = try Regex(#"\b(?:\#(objects))\??\.([a-z_]+)\b"#, as: (Substring, Substring).self)
        let calls = try Regex(
            #"(?:first|keyOf|numberOf)\((?:\#(objects))(?: \?\? \{\})?, ((?:"\w+"(?:, )?)+)"#,
            as: (Substring, Substring).self)
        let listed = script.matches(of: calls).flatMap {
            $0.output.1.matches(of: /"(\w+)"/).map { String($0.output.1) }
        }
        return Set(script.matches(of: members).map { String($0.output.1) } + listed)
    }

    @Test(arguments: ["blocks", "figures", "providers", "look", "common"])
    func `Every key that the widget reads of a block is in the tables`(_ name: String) throws {
        let read = try Self.keys(of: "block", in: Self.text("Web/widget/parts/\(name).js"))
        // The daemon adds `visible`.
        #expect(read.subtracting(Self.blocks).subtracting(["visible"]) == [])
    }

    @Test(arguments: ["parts/fields", "parts/fields_common", "parts/pickers", "parts/wheel", "render/step"])
    func `Every key that the widget reads of a field is in the tables`(_ name: String) throws {
        let script = try Self.text("Web/widget/\(name).js")
        let lists = script.matches(of: /\[((?:"\w+"(?:, )?)+)\]\.map\(\(key\) => keyOf/).flatMap {
            $0.output.1.matches(of: /"(\w+)"/).map { String($0.output.1) }
        }
        let read = try Self.keys(of: "field", in: script).union(lists)
        #expect(read.subtracting(Self.fields).subtracting(["visible"]) == [])
    }

    @Test func `Every key that the widget reads of a style is in the tables`() throws {
        let look = try Self.text("Web/widget/parts/look.js")
        let styles = Self.names([
            FlowPartKeys.blockStyle, FlowPartKeys.textStyle, FlowPartKeys.fieldStyle, FlowPartKeys.pressedStyle,
        ])
        #expect(try Self.keys(of: "style|pressed", in: look).subtracting(styles) == [])
        #expect(
            try Self.keys(of: "animation", in: look).subtracting(FlowPartKeys.animation.names) == [])
        let chat = try Self.text("Web/widget/parts/chat.js")
        let lists = chat.matches(of: /bubble\("\w+", \[(.*?)\], \[(.*?)\]\)/).flatMap {
            "\($0.output.1), \($0.output.2)".matches(of: /"(\w+)"/).map { String($0.output.1) }
        }
        #expect(lists.count > 5)
        let read = try Self.keys(of: "style", in: chat).union(lists)
        #expect(read.subtracting(FlowPartKeys.chatStyle.names) == [])
        #expect(
            try Self.keys(of: "plan", in: Self.text("Web/widget/parts/figures.js")).subtracting(
                FlowPartKeys.plan.names) == [])
    }

    @Test func `Every key of the tables is read by the widget or the daemon`() throws {
        let sources = try Self.texts(in: "Web/widget", ".js") + Self.texts(in: "Sources/Surveys", ".swift")
        let words = Set(sources.flatMap { $0.matches(of: /[A-Za-z_]+/).map { String($0.output) } })
        // The widget puts the names of sides and of units of time together.
        let others = Self.names([FlowPartKeys.blockStyle] + FlowBlockKeys.types)
            .filter { $0.contains(/^(padding|margin|show)_/) }
        for object in FlowBlockKeys.types + FlowFieldKeys.types + FlowPartKeys.all + [
            FlowBlockKeys.common, FlowBlockKeys.answer, FlowFieldKeys.common,
        ] {
            #expect(Set(object.names).subtracting(words).subtracting(others) == [], "\(object.name)")
        }
    }

    @Test func `Each type has its table`() {
        #expect(Set(FlowBlockKeys.types.map(\.name)) == Set(BlockKeys.types.keys))
        #expect(FlowFieldKeys.types.map(\.name).sorted() == FlowField.typeNames)
        let all = FlowBlockKeys.types + FlowFieldKeys.types + FlowPartKeys.all
        for object in all {
            #expect(Set(object.names).count == object.names.count, "\(object.name) has a key twice")
            for key in object.keys { #expect(!key.names.isEmpty && !key.sentence.isEmpty, "\(object.name)") }
        }
    }
}
