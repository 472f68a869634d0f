import BellwetherCore
import BellwetherJSON
import Foundation
import Samples
import Testing

/// The example of `docs/on-device.md`: it compiles, and behaves as the page says.
@Suite struct OfflineMessagesTests {
    private static let here = URL(filePath: #filePath).deletingLastPathComponent()
    private static let manifest = Sample.document([
        "deep_link_scheme": "sample",
        "messaging": [
            "styles": ["TWICE": ["priority": 50, "max-display-count": 2]],
            "triggers": ["THIRD_VISIT": "'visit'|eventSum('Years', 4, 0) >= 3"],
            "actions": ["OPEN": "://open?id={uuid}"],
            "messages": [
                "m": [
                    "surface": "notification", "text": "T/hello", "style": "TWICE", "action": "OPEN",
                    "trigger-if-all": ["THIRD_VISIT"],
                ]
            ],
        ],
    ])

    /// An installation. By default three visits have made it eligible for the message.
    private final class Installation {
        var offline: OfflineMessages

        init(visits: Int = 3) throws {
            offline = try Self.load(saved: nil)
            for _ in 0..<visits { offline.happened("visit", now: Sample.now) }
        }

        func restart() throws { offline = try Self.load(saved: offline.state.encoded()) }

        func message(locale: String = "en-US") -> Message? {
            offline.message(on: "notification", in: context(locale), now: Sample.now)
        }

        func context(_ locale: String = "en-US") -> TargetingContext {
            offline.compiledApp.context(["locale": .string(locale)])
        }

        private static func load(saved: [UInt8]?) throws -> OfflineMessages {
            let bundle = CompiledAppBundleTests.document([
                "manifest": OfflineMessagesTests.manifest, "recipes": [SampleExperiment.document()],
                "recipe_revisions": [["slug": "e", "revision": 1]],
            ])
            return try #require(OfflineMessages(bundle: bundle.encoded, clientID: "c", saved: saved))
        }
    }

    @Test func theDocumentShowsThisVeryFile() throws {
        let code = try String(contentsOf: Self.here.appending(path: "OfflineMessages.swift"), encoding: .utf8)
        let docs = Self.here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/on-device.md")
        #expect(try String(contentsOf: docs, encoding: .utf8).contains("```swift\n" + code + "```"))
    }

    @Test func aMessageFromItsTriggerToItsCap() throws {
        let device = try Installation(visits: 2)
        #expect(device.message() == nil)
        device.offline.happened("visit", now: Sample.now)
        let message = try #require(device.message(locale: "de"))
        #expect(device.offline.compiledApp.presentation(of: message, in: device.context("de")).text == "Hallo")
        device.offline.displayed(message, now: Sample.now)
        // The saved state continues after a restart.
        try device.restart()
        #expect(device.message()?.key == "m")
        device.offline.displayed(message, now: Sample.now)
        #expect(device.message() == nil)
        #expect(device.offline.records.map(\.name) == ["expired", "shown"])
    }

    @Test func aPressOpensTheActionAndEndsTheMessage() throws {
        let device = try Installation()
        let message = try #require(device.message())
        let url = device.offline.pressed(message, in: device.context(), now: Sample.now) { "u-1" }
        #expect(url == "sample://open?id=u-1")
        #expect(device.message() == nil)
        #expect(device.offline.records.last?.extra["action_uuid"] == "u-1")
    }

    @Test func aDismissalEndsIt() throws {
        let device = try Installation()
        device.offline.dismissed(try #require(device.message()), now: Sample.now)
        #expect(device.message() == nil)
    }

    @Test func enrollmentsAreToldOnce() throws {
        let device = try Installation()
        for _ in 0..<2 { _ = device.message() }
        #expect(device.offline.records.map(\.name) == ["enrollment"])
        #expect(device.offline.records.first?.experiment == "e")
    }

    @Test func noBundleNoMessages() { #expect(OfflineMessages(bundle: [], clientID: "c", saved: nil) == nil) }

    @Test func whatTheDaemonWouldRefuseOfAContextIsTold() throws {
        let findings = Findings()
        let context = try Installation().offline.compiledApp.context(
            ["locale": "not a tag", "age": "old", "city": "Rome", "unheard": 5], findings: findings)
        #expect(findings.faultLocations == ["locale /locale", "type /age"])
        #expect(context.locale == "en-US" && context.attributes == ["city": "Rome"])
    }
}
