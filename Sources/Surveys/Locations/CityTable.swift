internal import BellwetherBase
internal import BellwetherJSON

/// Cities of a table in GeoNames' format, found by the beginning of any of their names. Nothing leaves the machine.
///
/// The names of all cities, folded, stand in one sorted array: a search is a binary search, and then a walk over those
/// that begin with what was typed.
public struct CityTable: LocationProvider {
    private struct City: Sendable {
        var name: String
        var latitude: Double
        var longitude: Double
        var country: String
        var region: String
        var population: Int
        var timeZone: String
    }

    private struct Entry: Sendable {
        let name: String
        let city: Int32
    }

    private let names: LocationNames
    private var cities: [City] = []
    private var entries: [Entry] = []
    /// Names of regions, by country and code: `US.NY`.
    private var regions: [String: String] = [:]
    private var countries: [String] = []

    /// What is wrong with a line of a table.
    public struct Fault: Error, Sendable, Hashable {
        public let line: Int
        public let reason: String
    }

    /// - Parameters:
    ///   - text: lines of 19 columns with tabs between them: `name` is the second, then the name in ASCII, other names
    ///     with commas, latitude, longitude; country is the 9th, region's code the 11th, population the 15th, time zone
    ///     the 18th. A line that begins with `#` is a comment.
    ///   - regions: lines of `COUNTRY.CODE`, a tab and the name.
    public init(_ text: String, regions: String = "", names: LocationNames) throws(Fault) {
        self.names = names
        for line in regions.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            if columns.count >= 2 { self.regions[String(columns[0])] = String(columns[1]) }
        }
        var number = 0
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            try add(line.split(separator: "\t", omittingEmptySubsequences: false), line: number)
        }
        entries.sort { $0.name.precedes($1.name) }
        countries = Set(cities.map(\.country)).sorted { $0.precedes($1) }
    }

    public var count: Int { cities.count }

    private mutating func add(_ columns: [Substring], line: Int) throws(Fault) {
        guard columns.count >= 18 else { throw Fault(line: line, reason: "it has fewer than 18 columns") }
        guard let latitude = Double(columns[4]), let longitude = Double(columns[5]), abs(latitude) <= 90,
            abs(longitude) <= 180
        else { throw Fault(line: line, reason: "latitude and longitude are no degrees") }
        guard columns[8].utf8.count == 2, !columns[1].isEmpty else {
            throw Fault(line: line, reason: "it has no name, or no country of two letters")
        }
        let number = Int32(cities.count)
        cities.append(
            City(
                name: String(columns[1]), latitude: latitude, longitude: longitude, country: String(columns[8]),
                region: String(columns[10]), population: Int(columns[14]) ?? 0, timeZone: String(columns[17])))
        var known: Set<String> = []
        for name in [columns[1], columns[2]] + columns[3].split(separator: ",") {
            let folded = FoldedText.fold(String(name))
            if !folded.isEmpty, known.insert(folded).inserted { entries.append(Entry(name: folded, city: number)) }
        }
    }

    public func suggestions(for query: LocationQuery) -> [LocationSuggestion] {
        guard query.text.count >= LocationQuery.minimumCharacters else { return [] }
        let prefix = FoldedText.fold(query.text)
        guard !prefix.isEmpty else { return [] }
        switch query.kind {
        case .city: return best(prefix, query).map { suggestion(cities[$0], query) }
        case .country: return countries(beginningWith: prefix, query)
        case .region: return regions(beginningWith: prefix, query)
        // A table of cities has no streets.
        case .address: return []
        }
    }

    /// Positions of cities: those of the country that is preferred first, then by population.
    private func best(_ prefix: String, _ query: LocationQuery) -> [Int] {
        var found: [Int] = []
        func isBefore(_ one: Int, _ other: Int) -> Bool {
            let (left, right) = (cities[one], cities[other])
            let (near, far) = (left.country == query.biasCountry, right.country == query.biasCountry)
            if near != far { return near }
            return (left.population, other) > (right.population, one)
        }
        for entry in entries[firstEntry(prefix)...] {
            guard entry.name.utf8.starts(with: prefix.utf8) else { break }
            let city = Int(entry.city)
            if found.count == query.limit, let last = found.last, !isBefore(city, last) { continue }
            guard !found.contains(city) else { continue }
            let index = found.firstIndex { isBefore(city, $0) } ?? found.endIndex
            found.insert(city, at: index)
            if found.count > query.limit { found.removeLast() }
        }
        return found
    }

    private func firstEntry(_ prefix: String) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].name.precedes(prefix) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func suggestion(_ city: City, _ query: LocationQuery) -> LocationSuggestion {
        LocationSuggestion(
            city: city.name, state: regions["\(city.country).\(city.region)"],
            stateCode: city.region.isEmpty ? nil : city.region, country: country(city.country, query),
            countryCode: city.country,
            coordinates: LocationSuggestion.Coordinates(latitude: city.latitude, longitude: city.longitude),
            timeZone: city.timeZone.isEmpty ? nil : city.timeZone, offset: names.offset(city.timeZone))
    }

    private func country(_ code: String, _ query: LocationQuery) -> String {
        names.country(code, query.language ?? "en") ?? code
    }

    private func countries(beginningWith prefix: String, _ query: LocationQuery) -> [LocationSuggestion] {
        let found = countries.compactMap { code -> LocationSuggestion? in
            let name = country(code, query)
            let isFound = [name, names.country(code, "en") ?? code].contains { FoldedText.fold($0).hasPrefix(prefix) }
            return isFound ? LocationSuggestion(country: name, countryCode: code) : nil
        }
        return Array(found.sorted { $0.country.precedes($1.country) }.prefix(query.limit))
    }

    private func regions(beginningWith prefix: String, _ query: LocationQuery) -> [LocationSuggestion] {
        let found = regions.filter { FoldedText.fold($0.value).hasPrefix(prefix) }.compactMap { key, name in
            let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
            return parts.count == 2
                ? LocationSuggestion(
                    state: name, stateCode: parts[1], country: country(parts[0], query), countryCode: parts[0]) : nil
        }
        let sorted = found.sorted { one, other in
            let (near, far) = (one.countryCode == query.biasCountry, other.countryCode == query.biasCountry)
            if near != far { return near }
            return (one.state ?? "", one.countryCode) < (other.state ?? "", other.countryCode)
        }
        return Array(sorted.prefix(query.limit))
    }
}
