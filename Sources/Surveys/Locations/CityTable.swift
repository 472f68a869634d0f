internal import BellwetherBase
internal import BellwetherJSON

/// The cities of a table in GeoNames' format, which are found by the beginning of their names
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
        /// The position of its own name in `folded`, and its length.
        var start: UInt32
        var length: UInt16
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

        /// Adds a name, and with `hasWords` also each of its later words.
        mutating func add(_ name: [UInt8], of city: Int32, hasWords: Bool = false) {
            for start in name.indices where start == 0 || hasWords && name[start - 1].isBetweenWords {
                if start > 0, name[start].isBetweenWords { continue }
                var key: UInt64 = 0
                for place in start..<start + 8 { key = key << 8 | UInt64(place < name.count ? name[place] : 0) }
                keyed.append((key, Entry(start: UInt32(folded.count + start), city: city)))
            }
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
        let (number, own) = (Int32(cities.count), FoldedText.fold(columns[1]))
        cities.append(
            City(
                name: Self.string(columns[1]), latitude: latitude, longitude: longitude,
                country: Self.string(columns[8]), region: Self.string(columns[10]),
                population: Int(Self.string(columns[14])) ?? 0, timeZone: making.timeZones[zone, default: zone],
                start: UInt32(making.folded.count), length: UInt16(clamping: own.count)))
        making.timeZones[zone] = cities[cities.count - 1].timeZone
        making.add(own, of: number, hasWords: true)
        var known: Set<[UInt8]> = [own]
        for name in [columns[2]] + columns[3].split(separator: UInt8(ascii: ",")) {
            let name = FoldedText.fold(name)
            // "Municipality of Cluj" is no name by which Cluj is searched.
            let isLongOwn =
                name.count > own.count && name.suffix(own.count + 1).elementsEqual([UInt8(ascii: " ")] + own)
            if !name.isEmpty, !isLongOwn, known.insert(name).inserted { making.add(name, of: number) }
        }
    }

    /// The suggestions, best first. A table of cities contains no streets.
    public func suggestions(for query: LocationQuery) -> [LocationSuggestion] {
        guard query.hasEnough else { return [] }
        let readings = LocationWords.readings(of: query.text)
        guard let typed = readings.first else { return [] }
        switch query.kind {
        case .city: return best(readings, query).map { suggestion(cities[$0], query) }
        case .country: return countries(beginningWith: String(decoding: typed.name, as: UTF8.self), query)
        case .region: return regions(typed, query)
        case .address: return []
        }
    }

    /// The positions of cities (docs/reference/flows.md#locations).
    private func best(_ readings: [LocationWords], _ query: LocationQuery) -> [Int] {
        var found: [LocationRank] = []
        let countryNames =
            readings.contains { !$0.places.isEmpty } ? countries.map { ($0, foldedNames($0, query)) } : []
        for (position, reading) in readings.enumerated() where found.count < query.limit {
            let areas = reading.places.map { Area(named: $0, regions, countryNames) }
            // The name alone, without the words after its comma, is the last resort.
            if position > 0, areas.isEmpty, !found.isEmpty { break }
            if areas.contains(where: \.isEmpty) { continue }
            search(reading, position, areas, query, &found)
        }
        return found.map(\.city)
    }

    /// Adds the best cities of one reading.
    private func search(
        _ reading: LocationWords, _ position: Int, _ areas: [Area], _ query: LocationQuery,
        _ found: inout [LocationRank]
    ) {
        for entry in entries[firstEntry(reading.name)...] {
            let start = Int(entry.start)
            guard folded[start...].starts(with: reading.name) else { break }
            let next = folded[start + reading.name.count]
            let isWhole = next == 0 || next == UInt8(ascii: " ")
            if reading.end == .name ? next != 0 : reading.end == .word && !isWhole { continue }
            let city = Int(entry.city)
            if !areas.isEmpty, !areas.allSatisfy({ $0.has(cities[city].country, cities[city].region) }) { continue }
            let rank = LocationRank(
                reading: position, name: name(entry, isEnd: next == 0),
                isFar: cities[city].country != query.biasCountry,
                weight: cities[city].population * (isWhole ? LocationRank.factorOfWholeWords : 1), isWhole: isWhole,
                city: city)
            if found.count == query.limit, let last = found.last, last < rank { continue }
            if let same = found.firstIndex(where: { $0.city == city }) {
                if found[same] < rank { continue }
                found.remove(at: same)
            }
            found.insert(rank, at: found.firstIndex { rank < $0 } ?? found.endIndex)
            if found.count > query.limit { found.removeLast() }
        }
        // "New York" does not mean the city whose other name is "New York Van Java".
        if found.contains(where: { $0.name == .own && $0.isWhole }) { found.removeAll { $0.name == .beginningOfOther } }
    }

    /// The kind of a name in the table.
    private func name(_ entry: Entry, isEnd: Bool) -> LocationRank.Name {
        let city = cities[Int(entry.city)]
        if entry.start == city.start { return .own }
        if (city.start..<city.start + UInt32(city.length)).contains(entry.start) { return .word }
        return isEnd ? .other : .beginningOfOther
    }

    /// The regions and countries that a text may mean.
    private struct Area {
        private let regions: Set<String>
        private let countries: Set<String>

        /// Codes of countries that people write, but that ISO 3166-1 does not have.
        private static let otherCodes = ["uk": "GB", "usa": "US", "uae": "AE"]

        init(named text: String, _ regions: [String: Region], _ countries: [(code: String, names: [String])]) {
            self.regions = Set(
                regions.filter { $0.value.folded.hasWord(beginningWith: text) || $0.value.code?.lowercased() == text }
                    .keys)
            self.countries = Set(
                countries.filter { code, names in
                    names.contains { $0.hasWord(beginningWith: text) } || code.lowercased() == text
                        || Self.otherCodes[text] == code
                }.map(\.code))
        }

        var isEmpty: Bool { regions.isEmpty && countries.isEmpty }

        func has(_ country: String, _ region: String) -> Bool {
            countries.contains(country) || regions.contains("\(country).\(region)")
        }
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

    /// The folded names of a country, in the language of the query and in English.
    private func foldedNames(_ code: String, _ query: LocationQuery) -> [String] {
        let own = country(code, query)
        let english = query.language == nil ? own : names.country(code, "en") ?? code
        return (own == english ? [own] : [own, english]).map { FoldedText.fold($0) }
    }

    private func countries(beginningWith prefix: String, _ query: LocationQuery) -> [LocationSuggestion] {
        let found = countries.compactMap { code -> (isLater: Bool, name: String, code: String)? in
            let names = foldedNames(code, query)
            guard names.contains(where: { $0.hasWord(beginningWith: prefix) }) else { return nil }
            return (!names.contains { $0.hasPrefix(prefix) }, country(code, query), code)
        }
        let sorted = found.sorted { one, other in
            one.isLater == other.isLater ? one.name.precedes(other.name) : other.isLater
        }
        return sorted.prefix(query.limit).map { LocationSuggestion(country: $0.name, countryCode: $0.code) }
    }

    private func regions(_ typed: LocationWords, _ query: LocationQuery) -> [LocationSuggestion] {
        let prefix = String(decoding: typed.name, as: UTF8.self)
        let countryNames = typed.places.isEmpty ? [] : countries.map { ($0, foldedNames($0, query)) }
        let areas = typed.places.map { Area(named: $0, [:], countryNames) }
        let found = regions.values.filter { region in
            region.folded.hasWord(beginningWith: prefix) && areas.allSatisfy { $0.has(region.country, "") }
        }
        let sorted = found.sorted { one, other in
            let (isFirst, isLater) = (one.folded.hasPrefix(prefix), other.folded.hasPrefix(prefix))
            if isFirst != isLater { return isFirst }
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

extension String {
    /// Whether the folded text, or a later word of it, begins with another folded text.
    fileprivate func hasWord(beginningWith text: String) -> Bool { hasPrefix(text) || contains(" " + text) }
}

extension UInt8 {
    /// Whether a byte of a folded name separates words.
    fileprivate var isBetweenWords: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "(") }
}
