import BellwetherJSON
import Testing

@testable import Surveys

/// The search for places by the beginning of their names (docs/reference/flows.md#locations).
@Suite struct CityTableTests {
    private static let names = LocationNames { code, language in
        ["US": language == "de" ? "Vereinigte Staaten" : "United States", "FR": "France"][code]
    } offset: {
        $0 == "America/New_York" ? -300 : nil
    }

    private static func line(
        _ name: String, _ others: String = "", country: String = "US", region: String = "", population: Int = 1
    ) -> String {
        [
            "1", name, name, others, "40.7128", "-74.0060", "P", "PPL", country, "", region, "", "", "",
            "\(population)", "", "", "America/New_York", "",
        ].joined(separator: "\t")
    }

    private func table(_ lines: String...) throws -> CityTable {
        try CityTable(
            Array(lines.joined(separator: "\n").utf8), regions: Array("US.NY\tNew York\t\t\tNY\nUS.XX\tNew Land".utf8),
            names: Self.names)
    }

    private func cities(_ table: CityTable, _ text: String, bias: String? = nil, limit: Int = 5) -> [String?] {
        table.suggestions(for: LocationQuery(text, biasCountry: bias, limit: limit)).map(\.city)
    }

    @Test func aSuggestionHasTheMembersOfALocationField() throws {
        let table = try table("# cities", Self.line("New York", region: "NY"))
        let found = table.suggestions(for: LocationQuery("new y")).map { JSONValue.object($0.json) }
        #expect(
            found == [
                [
                    "formatted_address": "New York, New York, United States", "city": "New York", "state": "New York",
                    "state_code": "NY", "country": "United States", "country_code": "US", "latitude": 40.7128,
                    "longitude": -74.006, "timezone": "America/New_York", "timezone_offset": -300, "postal_code": nil,
                ]
            ])
    }

    @Test func theLargestComesFirstAndThePreferredCountryBeforeIt() throws {
        let table = try table(
            Self.line("Paris", country: "FR", population: 9), Self.line("Paris Hill", population: 1),
            Self.line("Parma", population: 5))
        #expect(cities(table, "par") == ["Paris", "Parma", "Paris Hill"])
        #expect(cities(table, "par", bias: "US") == ["Parma", "Paris Hill", "Paris"])
        #expect(cities(table, "par", limit: 1) == ["Paris"])
    }

    @Test(arguments: ["köln", "Koln", "KÖLN", "ko\u{308}ln", "cologne", "  Köln"])
    func accentsCaseAndOtherNamesDoNotMatter(_ text: String) throws {
        #expect(cities(try table(Self.line("Köln", "Cologne,Colonia")), text) == ["Köln"])
    }

    /// By-names of a larger city do not hide a smaller city that has the name.
    @Test func theOwnNameComesBeforeItsLaterWordsAndOtherNames() throws {
        let table = try table(
            Self.line("Jakarta", "Yorkton", population: 9_000), Self.line("New York", population: 80),
            Self.line("York", population: 1))
        #expect(cities(table, "york") == ["York", "New York"])
        #expect(cities(table, "yor") == ["York", "New York", "Jakarta"])
        #expect(cities(table, "yorkt") == ["Jakarta"])
        #expect(cities(table, "yorkton") == ["Jakarta"])
    }

    @Test func aNameInAnotherLanguageComesBeforeALaterWord() throws {
        let table = try table(
            Self.line("Ottobrunn bei München", population: 1), Self.line("Munich", "München", population: 9),
            Self.line("Münchenstein", population: 1))
        #expect(cities(table, "münchen") == ["Münchenstein", "Munich", "Ottobrunn bei München"])
    }

    @Test func aWordThatIsTypedInFullCountsMore() throws {
        let table = try table(
            Self.line("Santiago", population: 40), Self.line("San Diego", population: 10),
            Self.line("San Marcos", population: 1), Self.line("Sanlúcar", population: 6))
        #expect(cities(table, "san") == ["San Diego", "Santiago", "Sanlúcar", "San Marcos"])
        #expect(cities(table, "san ") == ["San Diego", "San Marcos"])
    }

    @Test func anAreaAroundTheOwnNameIsNoNameOfThePlace() throws {
        let table = try table(
            Self.line("Cluj", "Municipiul Cluj,Klausenburg", population: 9), Self.line("Munich", population: 1))
        #expect(cities(table, "munic") == ["Munich"] && cities(table, "klaus") == ["Cluj"])
    }

    @Test(arguments: [
        "Paris, Texas", "paris texas", "Paris, TX", "paris tx", "Paris, United States", "Paris, usa",
        "Paris, new texas",
        "Paris,, te", "Paris, Texas, United States",
    ])
    func wordsAfterTheNameSayWhereItIs(_ text: String) throws {
        let table = try CityTable(
            Array(
                [
                    Self.line("Paris", country: "FR", population: 9), Self.line("Paris", region: "TX"),
                    Self.line("Parma", region: "TX"),
                ].joined(separator: "\n").utf8), regions: Array("US.TX\tNew Texas\t\t\tTX".utf8), names: Self.names)
        let found = table.suggestions(for: LocationQuery(text))
        #expect(found.map(\.city) == ["Paris"] && found.map(\.countryCode) == ["US"])
    }

    @Test func anUnknownWordAfterTheCommaHidesNothing() throws {
        let table = try table(Self.line("Paris", country: "FR", population: 9), Self.line("Paris"))
        #expect(cities(table, "Paris, Kalifornien") == ["Paris", "Paris"] && cities(table, "paris kalifornien") == [])
        #expect(cities(table, ", ,") == [])
    }

    @Test func aCityIsFoundOnce() throws {
        #expect(cities(try table(Self.line("Roma", "Rome,Rom,Roma")), "ro") == ["Roma"])
    }

    @Test func fewerThanTwoCharactersFindNothing() throws {
        let table = try table(Self.line("Aa"))
        #expect(cities(table, "A") == [] && cities(table, "") == [] && cities(table, "- ") == [])
        #expect(cities(table, "aa") == ["Aa"] && cities(table, "aab") == [])
    }

    @Test func countriesAndRegionsAreFoundToo() throws {
        let table = try table(Self.line("Paris", country: "FR"), Self.line("New York", region: "NY"))
        let countries = table.suggestions(for: LocationQuery("verei", kind: .country, language: "de"))
        #expect(countries.map(\.country) == ["Vereinigte Staaten"] && countries.map(\.countryCode) == ["US"])
        let regions = table.suggestions(for: LocationQuery("new", kind: .region))
        #expect(regions.map(\.state) == ["New Land", "New York"] && regions.map(\.stateCode) == [nil, "NY"])
        #expect(table.suggestions(for: LocationQuery("new", kind: .address)) == [])
    }

    @Test func aLineThatIsNoCityIsTold() throws {
        #expect(throws: CityTable.Fault(line: 2, reason: "it has fewer than 18 columns")) {
            try table(Self.line("A"), "B\tb")
        }
        #expect(throws: CityTable.Fault.self) { try table(Self.line("A").replacing("40.7128", with: "91")) }
    }

    @Test func namesWithTheSameFirstLettersAreFound() throws {
        let table = try table(Self.line("Frankfurt am Main", population: 2), Self.line("Frankfurt (Oder)"))
        #expect(cities(table, "frankfur") == ["Frankfurt am Main", "Frankfurt (Oder)"])
        #expect(cities(table, "frankfurt (") == ["Frankfurt (Oder)"])
        #expect(cities(table, "frankfurt b") == [])
    }
}
