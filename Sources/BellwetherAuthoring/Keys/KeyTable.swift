internal import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// The keys of the objects in a format, and the tables of their values (docs/findings.md#keys-of-other-formats).
///
/// A table has all keys of the format's published schemas and sources, including keys that the daemon stores but does
/// not read. A key that is not in the table is a mistake of the author.
indirect enum KeyTable: Sendable {
    /// A value that is not checked.
    case anything
    case object([String: KeyTable])
    /// The root of a recipe that messages present. It may contain keys of its offer by mistake.
    case recipe([String: KeyTable])
    /// An object to which other tools add keys: only a misspelled key is reported.
    case open([String: KeyTable])
    case list(KeyTable)
    /// An object with any keys.
    case map(KeyTable)
    /// An object, or an array.
    case either(KeyTable, KeyTable)
    /// An object whose keys depend on the value of one member. For an unknown value, it may have the keys of all kinds.
    case kinds(by: String, common: [String: KeyTable], [String: [String: KeyTable]])
    /// A table, with what is said of some keys that it does not have.
    case hinted(KeyTable, KeyHints)
    /// A table that contains itself.
    case later(@Sendable () -> KeyTable)

    /// Keys with unchecked values, as a text with spaces, and other keys.
    static func keys(_ names: String, _ others: [String: KeyTable] = [:]) -> [String: KeyTable] {
        let names = names.split(whereSeparator: \.isWhitespace).map { (String($0), KeyTable.anything) }
        return Dictionary(names) { $1 }.merging(others) { $1 }
    }

    static func object(_ names: String, _ others: [String: KeyTable] = [:]) -> KeyTable {
        .object(keys(names, others))
    }

    static func recipe(_ names: String, _ others: [String: KeyTable] = [:]) -> KeyTable {
        .recipe(keys(names, others))
    }

    static func open(_ names: String, _ others: [String: KeyTable] = [:]) -> KeyTable { .open(keys(names, others)) }
}

/// The meanings that authors give to keys which an object does not have.
struct KeyHints: Sendable {
    /// Other keys of the same object.
    var meant: [String: String] = [:]
    /// The places to which the keys belong, seen from the object.
    var places: [String: String] = [:]

    /// Reports the key; false if nothing is known of it.
    func refuse(_ key: String, at reader: JSONReader) -> Bool {
        if let place = places[key] {
            reader.refuse(key: key, place: place)
        } else if let other = meant[key] {
            reader.refuse(key: key, meaning: other)
        } else {
            return false
        }
        return true
    }
}

/// Warnings about the keys of documents in other systems' formats.
public enum KeyCheck {
    /// Checks a recipe. The members of a messaging value, and Bellwether's own keys, are reported by their readers.
    public static func check(_ document: JSONValue, findings: Findings) {
        let reader = JSONReader(document, findings: findings).tolerant
        guard let object = document.object else { return }
        switch object["kind"]?.string.flatMap(ContentKind.init(rawValue:)) {
        case .questionnaire: check(reader, KeyTable.questionnaire)
        case .survey: check(reader, KeyTable.survey)
        case .flow: check(reader, KeyTable.flow)
        case nil: if object["branches"] != nil { check(reader, KeyTable.experiment) }
        }
    }

    private static func check(_ reader: JSONReader, _ table: KeyTable, _ hints: KeyHints = KeyHints()) {
        func check(_ keys: [String: KeyTable], unknown: (_ key: String) -> Void) {
            Self.check(reader, keys) { if !hints.refuse($0, at: reader) { unknown($0) } }
        }
        switch table {
        case .anything: break
        case .object(let keys): check(keys) { reader.refuse(key: $0, knowing: keys.keys) }
        case .recipe(let keys): check(keys) { refuse($0, at: reader, knowing: keys.keys) }
        case .open(let keys): check(keys) { reader.refuseSlip(key: $0, knowing: keys.keys) }
        case .hinted(let table, let hints): Self.check(reader, table, hints)
        case .list(let table):
            guard reader.value.array != nil else { return }
            for element in reader.elements() ?? [] { Self.check(element, table) }
        case .map(let table):
            guard reader.value.object != nil else { return }
            for (_, member) in reader.members() ?? [] { Self.check(member, table) }
        case .either(let object, let list): Self.check(reader, reader.value.array == nil ? object : list)
        case .kinds(let name, let common, let kinds): Self.check(reader, name, common, kinds)
        case .later(let table): Self.check(reader, table())
        }
    }

    private static func refuse(_ key: String, at reader: JSONReader, knowing known: some Sequence<String>) {
        guard let home = OfferMessaging.home(of: key) else { return reader.refuse(key: key, knowing: known) }
        reader.refuse(key: key, home: home)
    }

    private static func check(
        _ reader: JSONReader, _ keys: [String: KeyTable], unknown: (_ key: String) -> Void
    ) {
        guard reader.value.object != nil else { return }
        for (key, member) in reader.members() ?? [] {
            if let index = keys.index(forKey: key), keys[index].key.hasSameBytes(as: key) {
                check(member, keys[index].value)
            } else {
                unknown(key)
            }
        }
    }

    private static func check(
        _ reader: JSONReader, _ name: String, _ common: [String: KeyTable], _ kinds: [String: [String: KeyTable]]
    ) {
        let all = kinds.values.reduce(common) { $0.merging($1) { old, _ in old } }
        guard let kind = reader.value.object?[name]?.string, let own = kinds[kind] else {
            return check(reader, all) { reader.refuse(key: $0, knowing: all.keys) }
        }
        let known = common.merging(own) { $1 }
        check(reader, known) { key in
            guard all[key] != nil else { return reader.refuse(key: key, knowing: known.keys) }
            reader.findings.warn(
                "unknown_key", at: reader.pointer.appending(key),
                "nothing reads the key \"\(key)\" of the type \"\(kind)\"")
        }
    }
}
