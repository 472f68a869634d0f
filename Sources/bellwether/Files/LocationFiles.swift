internal import Foundation
internal import Surveys

/// Reads the tables of places that the settings name (docs/reference/flows.md#locations).
enum LocationFiles {
    /// Nil: no table is named.
    static func read(cities: String, regions: String) throws(SettingsError) -> CityTable? {
        guard !cities.isEmpty else { return nil }
        let (text, regions) = (try text(of: cities), regions.isEmpty ? "" : try text(of: regions))
        do throws(CityTable.Fault) {
            return try CityTable(text, regions: regions, names: names)
        } catch {
            throw SettingsError(["\(cities):\(error.line): \(error.reason)"])
        }
    }

    private static func text(of path: String) throws(SettingsError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SettingsError(["\(path): it cannot be read"])
        }
        return String(decoding: data, as: UTF8.self)
    }

    private static let names = LocationNames { code, language in
        Locale(identifier: language).localizedString(forRegionCode: code)
    } offset: { name in
        guard let zone = TimeZone(identifier: name) else { return nil }
        let seconds = zone.secondsFromGMT() - Int(zone.daylightSavingTimeOffset())
        return seconds / 60
    }
}
