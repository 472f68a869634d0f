import BellwetherJSON
import Foundation
import Testing

@testable import BellwetherAuthoring
@testable import BellwetherBase
@testable import BellwetherCore
@testable import Surveys

/// The formats of all kinds of documents agree with their readers and with the reference.
@Suite struct FormatsTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test(arguments: Schemas.kinds) func `Every table that a key names is there`(_ kind: String) throws {
        let format = try #require(Format.all[kind])
        for object in format.all {
            for key in object.keys {
                #expect(!key.names.isEmpty && !key.sentence.isEmpty, "\(object.name)")
                // A misspelled type is read as a choice of one word.
                if case .word(let words, let isClosed) = key.kind {
                    #expect(words.count > 1 || isClosed, "\(object.name) \(key.names[0])")
                }
            }
            for (key, kind) in object.known {
                for table in kind.tables { #expect(format[table] != nil, "\(object.name) \(key): \(table)") }
            }
        }
    }

    @Test(arguments: Schemas.kinds) func `No object has a key twice, and no two objects have one name`(_ kind: String)
        throws
    {
        let format = try #require(Format.all[kind])
        for object in format.all { #expect(Set(object.names).count == object.names.count, "\(object.name)") }
        let definitions = format.objects.map(\.definition)
        #expect(Set(definitions).count == definitions.count)
    }

    @Test func `The types of questions are those of the readers`() {
        #expect(
            QuestionKeys.questionnaireTypes.map(\.name).sorted()
                == QuestionFormat.questionnaire.types.map(\.name).sorted())
        #expect(QuestionKeys.surveyTypes.map(\.name).sorted() == QuestionFormat.survey.types.map(\.name).sorted())
    }

    @Test func `The keys of manifests, pacing and texts are those of the readers`() {
        #expect(Set(ManifestKeys.manifest.names.map { Identifier($0) }) == Manifest.keys)
        #expect(Set(RecipeKeys.pacing.names.map { Identifier($0) }) == Pacing.keys)
        #expect(RecipeKeys.strings.names.sorted() == InterfaceText.all.map(\.key).sorted())
        #expect(Set(MessageKeys.messaging.names) == MessagingReading.variables)
    }

    /// Every key with a value of no type: the reader reports the type, and no unknown key.
    @Test func `The reader of messages knows the keys of the tables`() {
        let vocabulary = MessagingVocabulary(dialect: .ios, surfaces: [], attributes: [])
        func document(_ object: FormatObject) -> JSONValue { .object(JSONObject(object.names.map { ($0, .null) })) }
        let findings = Findings()
        let reading = MessagingReading(vocabulary: vocabulary, extending: BuiltInMessaging.value(dialect: .ios))
        var message = document(MessageKeys.message).object ?? [:]
        message["microsurveyConfig"] = document(MessageKeys.microsurvey)
        message["pacing"] = document(RecipeKeys.pacing)
        _ = reading.read(
            JSONReader(
                ["messages": ["m": .object(message)], "styles": ["s": document(MessageKeys.style)]], findings: findings)
        )
        #expect((findings.warnings + findings.faults).filter { $0.code == "unknown_key" } == [])
    }

    @Test(arguments: FormatReference.pages.keys.sorted()) func `The reference has the tables`(_ page: String) throws {
        let place = Self.root.appending(path: "docs/reference/\(page)")
        let text = try String(contentsOf: place, encoding: .utf8)
        let tables = try #require(FormatReference.pages[page])
        let start = try #require(text.range(of: FormatReference.begin)?.upperBound)
        let end = try #require(text.range(of: FormatReference.end)?.lowerBound)
        if ProcessInfo.processInfo.environment["BELLWETHER_WRITE_DOCS"] != nil {
            try String(text[..<start] + tables + text[end...]).write(to: place, atomically: true, encoding: .utf8)
        } else {
            #expect(text[start..<end] == tables[...])
        }
    }
}
