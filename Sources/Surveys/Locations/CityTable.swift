internal import BellwetherBase
internal import BellwetherJSON

/// The cities of a table in GeoNames' format, which are found by the prefix of any of their names
/// (docs/reference/flows.md#the-tables-that-ship).
///
/// An array of bytes contains the folded names of all cities, one after another. Their positions are sorted. A search
/// is a binary search, followed by a scan of the names that begin with the typed text.
public struct CityTable: Sendable {
    private struct City: Sendable {
        var name: String
        var latitude: Double
        var longitude: Double
        var country: String
        /// The region's code in GeoNames.
        var region: String
        var population: Int
        var timeZone: String
    }

    private struct Entry: Sendable {
        /// The position in `folded`. The name ends with a 0.
        let start: UInt32
        let city: Int32
    }

    private struct Region: Sendable {
        let country: String
        let name: String
        /// The region's code of ISO 3166-2, without the country.
        let code: String?
        let folded: String
    }

    private let names: LocationNames
    private var cities: [City] = []
    private var folded: [UInt8] = []
    private var entries: [Entry] = []
    /// The regions by country and GeoNames' code: `US.NY`.
    private var regions: [String: Region] = [:]
    private var countries: [String] = []

    /// A fault of a line of a table.
    public struct Fault: Error, Sendable, Hashable {
        public let line: Int
        public let reason: String
    }

    /// - Parameters:
    ///   - text: lines of 19 columns with tabs between them: `name` is the second, then the name in ASCII, other names
    ///     with commas, latitude, longitude; country is the 9th, region's code the 11th, population the 15th, time zone
    ///     the 18th. A line that begins with `#` is a comment.
    ///   - regions: lines of `COUNTRY.CODE`, the name, two columns that are not read, and the code of ISO 3166-2.
    public init(_ text: [UInt8], regions: [UInt8] = [], names: LocationNames) throws(Fault) {
        self.names = names
        for line in Self.rows(of: regions) { addRegion(line.columns) }
        var making = Making()
        for line in Self.rows(of: text) { try add(line.columns, line: line.number, &making) }
        (folded, entries) = (making.folded, making.sorted)
        countries = Set(cities.map(\.country)).sorted { $0.precedes($1) }
    }

    public var count: Int { cities.count }

    /// The lines with their columns, without empty lines and comments.
    private static func rows(of text: [UInt8]) -> some Sequence<(number: Int, columns: [ArraySlice<UInt8>])> {
        let lines = text.lazy.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.enumerated().lazy.compactMap { number, line in
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            guard let first = line.first, first != UInt8(ascii: "#") else { return nil }
            let columns = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
            return (number + 1, columns.map { text[$0.startIndex..<$0.endIndex] })
        }
    }

    private static func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private mutating func addRegion(_ columns: [ArraySlice<UInt8>]) {
        guard columns.count >= 2, let dot = columns[0].firstIndex(of: UInt8(ascii: ".")) else { return }
        let (name, code) = (Self.string(columns[1]), columns.count >= 5 ? Self.string(columns[4]) : "")
        regions[Self.string(columns[0])] = Region(
            country: Self.string(columns[0][..<dot]), name: name, code: code.isEmpty ? nil : code,
            folded: FoldedText.fold(name))
    }

    /// The values that are needed while a table is read.
    private struct Making {
        var folded: [UInt8] = []
        /// The entries with the first eight bytes of each name, which do most of the sorting.
        var keyed: [(key: UInt64, entry: Entry)] = []
        /// One copy of each text, which all cities share.
        var timeZones: [String: String] = [:]

        mutating func add(_ name: [UInt8], of city: Int32) {
            var key: UInt64 = 0
            for position in 0..<8 { key = key << 8 | UInt64(position < name.count ? name[position] : 0) }
            keyed.append((key, Entry(start: UInt32(folded.count), city: city)))
            folded += name
            folded.append(0)
        }

        var sorted: [Entry] {
            keyed.sorted { one, other in
                one.key == other.key ? isTail(one.entry, before: other.entry) : one.key < other.key
            }.map(\.entry)
        }

        private func isTail(_ one: Entry, before other: Entry) -> Bool {
            var (left, right) = (Int(one.start), Int(other.start))
            while folded[left] == folded[right], folded[left] != 0 { (left, right) = (left + 1, right + 1) }
            return folded[left] < folded[right]
        }
    }

    private mutating func add(
        _ columns: [ArraySlice<UInt8>], line: Int, _ making: inout Making
    ) throws(Fault) {
        guard columns.count >= 18 else { throw Fault(line: line, reason: "it has fewer than 18 columns") }
        guard let latitude = Double(Self.string(columns[4])), let longitude = Double(Self.string(columns[5])),
            abs(latitude) <= 90, abs(longitude) <= 180
        else { throw Fault(line: line, reason: "latitude and longitude are no degrees") }
        guard columns[8].count == 2, !columns[1].isEmpty else {
            throw Fault(line: line, reason: "it has no name, or no country of two letters")
        }
        guard making.folded.count < Int(Int32.max) - columns.reduce(0, { $0 + 4 * $1.count }) else {
            throw Fault(line: line, reason: "the names before it are too many")
        }
        let zone = Self.string(columns[17])
        let number = Int32(cities.count)
        cities.append(
            City(
                name: Self.string(columns[1]), latitude: latitude, longitude: longitude,
                country: Self.string(columns[8]), region: Self.string(columns[10]),
                population: Int(Self.string(columns[14])) ?? 0, timeZone: making.timeZones[zone, default: zone]))
        making.timeZones[zone] = cities[cities.count - 1].timeZone
        var known: Set<[UInt8]> = []
        for name in [columns[1], columns[2]] + columns[3].split(separator: UInt8(ascii: ",")) {
            let name = FoldedText.fold(name)
            if !name.isEmpty, known.insert(name).inserted { making.add(name, of: number) }
        }
    }

    /// The suggestions, best first. A table of cities contains no streets.
    public func suggestions(for query: LocationQuery) -> [LocationSuggestion] {
        guard query.hasEnough else { return [] }
        let prefix = FoldedText.fold(query.text)
        guard !prefix.isEmpty else { return [] }
        switch query.kind {
        case .city: return best(Array(prefix.utf8), query).map { suggestion(cities[$0], query) }
        case .country: return countries(beginningWith: prefix, query)
        case .region: return regions(beginningWith: prefix, query)
        case .address: return []
        }
    }

    /// The positions of cities. Cities of the preferred country come first, then the order is by population.
    private func best(_ prefix: [UInt8], _ query: LocationQuery) -> [Int] {
        var found: [Int] = []
        func isBefore(_ one: Int, _ other: Int) -> Bool {
            let (left, right) = (cities[one], cities[other])
            let (near, far) = (left.country == query.biasCountry, right.country == query.biasCountry)
            if near != far { return near }
            return (left.population, other) > (right.population, one)
        }
        for entry in entries[firstEntry(prefix)...] {
            guard folded[Int(entry.start)...].starts(with: prefix) else { break }
            let city = Int(entry.city)
            if found.count == query.limit, let last = found.last, !isBefore(city, last) { continue }
            guard !found.contains(city) else { continue }
            let index = found.firstIndex { isBefore(city, $0) } ?? found.endIndex
            found.insert(city, at: index)
            if found.count > query.limit { found.removeLast() }
        }
        return found
    }

    private func firstEntry(_ prefix: [UInt8]) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            // The 0 at a name's end is less than any byte of a prefix.
            let isBefore = folded[Int(entries[middle].start)...].lexicographicallyPrecedes(prefix)
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func suggestion(_ city: City, _ query: LocationQuery) -> LocationSuggestion {
        let region = regions["\(city.country).\(city.region)"]
        return LocationSuggestion(
            city: city.name, state: region?.name, stateCode: region?.code, country: country(city.country, query),
            countryCode: city.country,
            coordinates: LocationSuggestion.Coordinates(latitude: city.latitude, longitude: city.longitude),
            timeZone: city.timeZone.isEmpty ? nil : city.timeZone, offset: names.offset(city.timeZone))
    }

    private func country(_ code: String, _ query: LocationQuery) -> String {
        names.country(code, query.language ?? "en") ?? code
    }

    private func countries(beginningWith prefix: String, _ query: LocationQuery) -> [LocationSuggestion] {
        let found = countries.compactMap { code -> (name: String, code: String)? in
            let name = country(code, query)
            let isFound = [name, names.country(code, "en") ?? code].contains { FoldedText.fold($0).hasPrefix(prefix) }
            return isFound ? (name, code) : nil
        }
        let sorted = found.sorted { $0.name.precedes($1.name) }.prefix(query.limit)
        return sorted.map { LocationSuggestion(country: $0.name, countryCode: $0.code) }
    }

    private func regions(beginningWith prefix: String, _ query: LocationQuery) -> [LocationSuggestion] {
        let sorted = regions.values.filter { $0.folded.hasPrefix(prefix) }.sorted { one, other in
            let (near, far) = (one.country == query.biasCountry, other.country == query.biasCountry)
            if near != far { return near }
            return (one.name, one.country) < (other.name, other.country)
        }
        return sorted.prefix(query.limit).map {
            LocationSuggestion(
                state: $0.name, stateCode: $0.code, country: country($0.country, query), countryCode: $0.country)
        }
    }
}
