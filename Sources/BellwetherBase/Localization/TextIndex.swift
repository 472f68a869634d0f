internal import BellwetherJSON

/// All texts of an app by the ids that messages use. There is a column for each locale and one for the built-in
/// English. One lookup therefore finds a text in any chain of locales.
///
/// The index contains only texts that an id can reach. A text that equals its own key counts as not found and is left
/// out.
package final class TextIndex: Sendable {
    /// The names of the locales. The last one, `en`, is the built-in English.
    let localeNames: [String]
    private let rows: [Identifier: [String?]]
    private let tableNames: Set<String>

    var builtInColumn: Int { localeNames.count - 1 }

    init(
        localeNames names: [String], locales: [String: [String: [String: String]]],
        builtIn: [String: [String: String]]
    ) {
        localeNames = names + ["en"]
        var rows: [Identifier: [String?]] = [:]
        var tableNames: Set<String> = []
        for (column, tables) in (names.map { locales[$0] ?? [:] } + [builtIn]).enumerated() {
            for (table, texts) in tables {
                tableNames.insert(table)
                for (key, text) in texts where text != key {
                    for id in Self.ids(table: table, key: key) {
                        rows[Identifier(id), default: Array(repeating: nil, count: names.count + 1)][column] = text
                    }
                }
            }
        }
        self.rows = rows
        self.tableNames = tableNames
    }

    /// The text in each locale; nil if no locale has the id.
    func row(of id: String) -> [String?]? { rows[Identifier(id)] }

    /// Whether some locale, or the built-in English, has such a table.
    func hasTable(_ name: String) -> Bool { tableNames.contains(name) }

    /// Splits an id at its first `/` into table and key, and drops empty parts. Returns nil if there are not exactly
    /// two parts (docs/reference/messaging.md#texts).
    package static func split(_ id: String) -> (table: Substring, key: Substring)? {
        guard id.utf8.contains(UInt8(ascii: "/")) else { return nil }
        let parts = id.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: true)
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }

    /// The ids under which a key is looked up: with its table, and for the default table also without it.
    private static func ids(table: String, key: String) -> [String] {
        let id = table + "/" + key
        let isReachable = split(id).map { $0.table == table && $0.key == key } ?? false
        let isReachableAlone = table == Localizer.defaultTable && split(key) == nil
        return (isReachable ? [id] : []) + (isReachableAlone ? [key] : [])
    }
}
