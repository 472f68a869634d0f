import Foundation
import Testing

@testable import BellwetherAPI

/// Names of countries and offsets of time zones (docs/reference/flows.md#the-tables-that-ship).
@Suite struct CountryNamesTests {
    private let names = CountryNames.shared

    @Test(arguments: [
        ("DE", "de", "Deutschland"), ("DE", "de-AT", "Deutschland"), ("DE", "fr", "Allemagne"), ("DE", "ar", "ألمانيا"),
        ("DE", "zh-TW", "德國"), ("DE", "zh-Hans-SG", "德国"), ("CV", "de-CH", "Kapverden"), ("CV", "de", "Cabo Verde"),
        ("JP", "iw", "יפן"), ("US", "no", "USA"), ("US", "nb-NO", "USA"), ("DE", "sr-Latn", "Nemačka"),
    ])
    func `A country has the name of the language, or of the nearest that has one`(
        code: String, language: String, name: String
    ) { #expect(names.country(code, in: language) == name) }

    @Test(arguments: ["xx", "tlh", "", "not a language", "ii"])
    func `A language without the name has the English one`(language: String) {
        #expect(names.country("CH", in: language) == "Switzerland")
        #expect(names.country("XQ", in: language) == nil)
    }

    /// Foundation's data of time zones are those of another release, but standard offsets rarely change.
    @Test func `Offsets are those of Foundation`() {
        var differences: [String] = []
        let zones = TimeZone.knownTimeZoneIdentifiers
        for zone in zones {
            guard let known = TimeZone(identifier: zone) else { continue }
            let seconds = known.secondsFromGMT() - Int(known.daylightSavingTimeOffset())
            if names.offset(of: zone) != seconds / 60 { differences.append(zone) }
        }
        #expect(zones.count > 300 && differences.count < 8, "\(differences)")
        #expect(names.offset(of: "Europe/Berlin") == 60 && names.offset(of: "Asia/Kathmandu") == 345)
        #expect(names.offset(of: "Europe/Nowhere") == nil)
    }

    /// ICU's release of CLDR is another one, so that a few names differ.
    @Test(arguments: ["en", "de", "fr", "es", "pt-BR", "ja", "ar", "he", "ru", "it", "zh-Hant"])
    func `Names are those of Foundation`(language: String) {
        let locale = Locale(identifier: language)
        let codes = Locale.Region.isoRegions.map(\.identifier).filter { $0.count == 2 && $0.allSatisfy(\.isLetter) }
        let differences = codes.filter { code in
            guard let wanted = locale.localizedString(forRegionCode: code), wanted != code else { return false }
            return names.country(code, in: language) != wanted
        }
        #expect(codes.count > 240 && differences.count < 12, "\(differences)")
    }
}
