import Foundation
import TestSupport
import Testing

/// The examples of docs/swift.md are code that is compiled and run.
@Suite struct DocumentTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The blocks of Swift in the document, indented.
    private static func examples(indent: Int) throws -> [String] {
        let parts = try text("docs/swift.md").components(separatedBy: "```swift\n").dropFirst()
        return parts.map { part in
            let lines = part.components(separatedBy: "\n```")[0].components(separatedBy: "\n")
            return lines.map { $0.isEmpty ? "" : String(repeating: " ", count: indent) + $0 }.joined(separator: "\n")
        }
    }

    /// Scripts/swift-example runs the example app.
    @Test func `The first example is the code of the example app`() throws {
        let example = try #require(try Self.examples(indent: 4).first)
        #expect((1...10).contains(example.components(separatedBy: "\n").count))
        #expect(try Self.text("Examples/trails/Sources/trails/First.swift").contains("{\n" + example + "\n}\n"))
    }

    @Test func `The last example is a test`() throws {
        let example = try #require(try Self.examples(indent: 8).last)
        #expect(
            try Self.text("Tests/BellwetherClientTests/TestTransportTests.swift").contains(
                "{\n" + example + "\n    }\n"))
    }

    /// Apple's rules for manifests name the functions of which an app states a reason.
    @Test func `The privacy manifest names the functions that the client uses`() throws {
        let manifest = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: Self.root.appending(path: "Sources/BellwetherClient/PrivacyInfo.xcprivacy")),
            format: nil)
        let entries = try #require(manifest as? [String: Any])
        let accessed = try #require(entries["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        var categories: Set<String> = []
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.root.path + "/Sources/BellwetherClient")
        where name.hasSuffix(".swift") {
            let source = try Self.text("Sources/BellwetherClient/" + name)
            let words = Set(source.components(separatedBy: CharacterSet.alphanumerics.inverted))
            for (category, functions) in Self.functions where !words.isDisjoint(with: functions) {
                categories.insert(category)
            }
        }
        #expect(Set(accessed.compactMap { $0["NSPrivacyAccessedAPIType"] as? String }) == categories)
        #expect(categories == ["NSPrivacyAccessedAPICategoryFileTimestamp"])
        #expect(entries["NSPrivacyTracking"] as? Bool == false)
    }

    private static let functions: [String: Set<String>] = [
        "NSPrivacyAccessedAPICategoryFileTimestamp": [
            "stat", "fstat", "lstat", "fstatat", "getattrlist", "creationDate", "modificationDate",
            "contentModificationDateKey", "creationDateKey",
        ],
        "NSPrivacyAccessedAPICategorySystemBootTime": ["systemUptime", "mach_absolute_time"],
        "NSPrivacyAccessedAPICategoryDiskSpace": [
            "statfs", "statvfs", "fstatfs", "fstatvfs", "systemFreeSize", "volumeAvailableCapacityKey",
        ],
        "NSPrivacyAccessedAPICategoryActiveKeyboards": ["activeInputModes"],
        "NSPrivacyAccessedAPICategoryUserDefaults": ["UserDefaults"],
    ]
}
