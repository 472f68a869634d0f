internal import BellwetherAPI
internal import FoundationEssentials
internal import Gzip
internal import Surveys

/// Reads the tables of places in the settings (docs/reference/flows.md#locations).
enum LocationFiles {
    private static let bound = 512 << 20

    /// Checks that the files exist and are readable, but does not read them.
    static func check(cities: String, regions: String) throws(SettingsError) {
        for path in [cities, regions] where !path.isEmpty && !FileManager.default.isReadableFile(atPath: path) {
            throw unreadable(path)
        }
    }

    /// The table; nil if the settings name none.
    static func read(cities: String, regions: String) throws(SettingsError) -> CityTable? {
        guard !cities.isEmpty else { return nil }
        let (text, regions) = (try bytes(of: cities), regions.isEmpty ? [] : try bytes(of: regions))
        do throws(CityTable.Fault) {
            return try CityTable(text, regions: regions, names: CountryNames.shared.locationNames)
        } catch {
            throw SettingsError(["\(cities):\(error.line): \(error.reason)"])
        }
    }

    private static func unreadable(_ path: String) -> SettingsError { SettingsError(["\(path): it cannot be read"]) }

    private static func bytes(of path: String) throws(SettingsError) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else { throw unreadable(path) }
        let bytes = Array(data)
        guard path.hasSuffix(".gz") else { return bytes }
        guard case .success(let text) = Inflation.gunzip(bytes[...], limit: bound) else {
            throw SettingsError(["\(path): it is no file of gzip, or larger than \(bound >> 20) MiB"])
        }
        return text
    }
}
