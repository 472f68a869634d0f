internal import BellwetherBase
internal import Gzip
public import Surveys
internal import Synchronization

/// The names of countries in the languages of CLDR, and the offsets of time zones. `Scripts/place-names` makes the file
/// (docs/reference/flows.md#the-tables-that-ship).
public final class CountryNames: Sendable {
    public static let shared = CountryNames(EmbeddedFile.at("Sources/CEmbedded/place-names.gz")?.bytes ?? [])

    /// The offsets in minutes east of UTC in standard time, by names of the time zone database.
    private let offsets: [String: Int]
    /// The line of each language: after each tab a country's code and its name.
    private let lines: [Substring]
    private let languages: LanguageMatcher
    private let english: Int?
    /// The names by code of the languages that were asked for.
    private let names = Mutex<[Int: [String: String]]>([:])

    private init(_ packed: [UInt8]) {
        var text = ""
        if case .success(let bytes) = Inflation.gunzip(packed[...], limit: 16 << 20) {
            text = String(decoding: bytes, as: UTF8.self)
        }
        let all = text.split(separator: "\n")
        offsets = (all.first.map(Self.pairs) ?? [:]).compactMapValues { Int($0) }
        lines = Array(all.dropFirst())
        let tags = lines.map { String($0.prefix { $0 != "\t" }) }
        languages = LanguageMatcher(tags)
        english = tags.firstIndex(of: "en")
    }

    /// The entries of a line, which are behind its first tab.
    private static func pairs(_ line: Substring) -> [String: String] {
        let entries = line.split(separator: "\t").dropFirst().map { $0.split(separator: " ", maxSplits: 1) }
        return Dictionary(
            entries.compactMap { $0.count == 2 ? (String($0[0]), String($0[1])) : nil }, uniquingKeysWith: { $1 })
    }

    /// For a table of cities.
    public var locationNames: LocationNames { LocationNames(country: country, offset: offset) }

    /// The name of a country by ISO 3166-1 code and BCP 47 language, in English if the language has none.
    func country(_ code: String, in language: String) -> String? {
        let tables = (LanguageTag(language).map { languages.all($0) } ?? []) + (english.map { [$0] } ?? [])
        return names.withLock { names in
            for table in tables {
                let known = names[table] ?? Self.pairs(lines[table])
                names[table] = known
                if let name = known[code] { return name }
            }
            return nil
        }
    }

    /// The offset of a time zone in standard time, in minutes east of UTC; nil for an unknown name.
    func offset(of timeZone: String) -> Int? { offsets[timeZone] }
}
