import BellwetherAuthoring
import BellwetherJSON
import Samples
import TestSupport
import Testing

/// Apple's `.strings` files and string catalogs (docs/reference/http-api.md#the-command-strings).
@Suite struct StringsFileTests {
    private static func read(_ text: String) -> StringsFile { StringsFile(Array(text.utf8)) }

    private static func pairs(_ file: StringsFile) -> [String] { file.entries.map { "\($0.key)=\($0.text)" } }

    private static func faults(_ file: StringsFile) -> [String] {
        file.faults.map { "\($0.line):\($0.column) \($0.code)" }
    }

    @Test func `Entries, comments and escapes are read`() {
        let file = Self.read(
            #"""
            /* A comment
               of two lines */
            "Ask.Title" = "Tell a \"friend\"?\n%@"; // behind it
            Plain.Key = word;
            "same";
            "smile" = "\U263A \ud83d\ude00 \101";
            "two
            lines" = "a
            b";
            """#)
        #expect(file.faults.isEmpty)
        #expect(
            Self.pairs(file) == [
                "Ask.Title=Tell a \"friend\"?\n%@", "Plain.Key=word", "same=same", "smile=\u{263A} \u{1F600} A",
                "two\nlines=a\nb",
            ])
    }

    @Test(
        arguments: [
            ("\"a\" \"b\";\n\"c\" = \"d\";", ["1:5 strings_syntax"], ["c=d"]),
            ("\"a\" = \"b\"\n\"c\" = \"d\";", ["2:1 strings_syntax"], ["a=b", "c=d"]),
            ("\"a\" = \"\\q\";\n\"b\" = \"\\ud83d\";", ["1:8 strings_escape", "2:8 strings_escape"], []),
            ("\"a\" = ;\n= \"b\";", ["1:7 strings_syntax", "2:1 strings_syntax"], []),
            ("\"a\" = \"b\";\n\"a\" = \"c\";", ["2:1 duplicate"], ["a=b"]),
            ("\"\" = \"b\";", ["1:1 length"], []), ("\"a\" = \"b", ["1:7 strings_syntax"], []),
            ("\"a\" = \"b\"; /* open", ["1:12 strings_syntax"], ["a=b"]), ("", [], []),
        ] as [(String, [String], [String])])
    func everyFaultHasItsPlace(_ text: String, _ expected: [String], _ entries: [String]) {
        let file = Self.read(text)
        #expect(Self.faults(file) == expected)
        #expect(Self.pairs(file) == entries)
    }

    @Test func `UTF-8 and UTF-16 are told apart, with and without a mark`() {
        let text = "\"k\" = \"Größe 😀\";"
        let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        for bytes in [
            Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), [0xFE, 0xFF] + big, [0xFF, 0xFE] + little, big,
            little,
        ] {
            #expect(Self.pairs(StringsFile(bytes)) == ["k=Größe 😀"])
        }
        #expect(Self.faults(StringsFile(Array("\"a\" =\n \"".utf8) + [0xC3, 0x28])) == ["2:3 encoding"])
        #expect(Self.faults(StringsFile([0xFE, 0xFF] + big.dropLast())) == ["1:1 encoding"])
        #expect(Self.faults(StringsFile([0xFE, 0xFF, 0xD8, 0x00, 0x00, 0x41])) == ["1:1 encoding"])
    }

    @Test func `Sizes are bounded`() {
        let long = String(repeating: "x", count: 10_001)
        #expect(Self.faults(Self.read("\"a\" = \"\(long)\";\n\"b\" = \"c\";")) == ["1:1 length"])
        #expect(Self.faults(StringsFile([UInt8](repeating: 0x20, count: (4 << 20) + 1))) == ["1:1 length"])
        #expect(StringsFile([UInt8](repeating: 0x20, count: 4 << 20)).faults.isEmpty)
    }

    @Test func `Random bytes never stop the reading`() {
        var state: UInt64 = 7
        for _ in 0..<2_000 {
            let bytes = (0..<40).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Array("\"\\=;/*\n aU0".utf8)[Int(state >> 40) % 11]
            }
            let file = StringsFile(bytes)
            #expect(file.entries.count + file.faults.count <= 40)
        }
    }

    private static func catalog(_ strings: JSONValue) -> (texts: [String], findings: Findings) {
        let findings = Findings()
        let catalog = StringCatalog.read(
            ["sourceLanguage": "en", "version": "1.0", "strings": strings], findings: findings)
        let texts = (catalog ?? [:]).sorted { $0.key < $1.key }.flatMap { locale, texts in
            texts.map { "\(locale) \($0.key)=\($0.text)" }
        }
        return (texts, findings)
    }

    @Test func `A catalog has all languages of a table`() {
        let (texts, findings) = Self.catalog([
            "Hello": ["localizations": ["de": ["stringUnit": ["state": "translated", "value": "Hallo"]]]],
            "later": [
                "localizations": [
                    "de": ["stringUnit": ["state": "new", "value": ""]],
                    "en": ["stringUnit": ["state": "translated", "value": "Later"]],
                ]
            ],
            "files": [
                "localizations": [
                    "de": [
                        "variations": [
                            "plural": [
                                "one": ["stringUnit": ["state": "translated", "value": "%d Datei"]],
                                "other": ["stringUnit": ["state": "translated", "value": "%d Dateien"]],
                            ]
                        ]
                    ]
                ]
            ],
            "name": [
                "shouldTranslate": false,
                "localizations": ["de": ["stringUnit": ["state": "translated", "value": "x"]]],
            ],
        ])
        #expect(
            texts == [
                "de Hello=Hallo", "de files=%d Dateien", "en Hello=Hello", "en later=Later", "en files=files",
                "en name=name",
            ])
        #expect(findings.warningLocations == ["variations /strings/files/localizations/de/variations"])
    }

    @Test func `A catalog's faults are at their places`() {
        let (texts, findings) = Self.catalog([
            "a": [
                "localizations": [
                    "d e": ["stringUnit": ["state": "translated", "value": "x"]], "fr": ["stringUnit": [:]],
                ]
            ],
            "b": ["localizations": ["de": ["variations": ["plural": ["one": [:]]]]]], "c": 5,
        ])
        #expect(texts == [])
        #expect(
            findings.faults.map { "\($0.code) \($0.pointer)" } == [
                "locale /strings/a/localizations/d e", "required /strings/a/localizations/fr/stringUnit/value",
                "required /strings/b/localizations/de/variations", "type /strings/c",
            ])
    }
}
