internal import ArgumentParser
internal import BellwetherService
internal import HTTPWire
internal import PostgresStore
internal import SQLiteStore

/// The URL of a store (docs/reference/http-api.md#the-store). Only this type distinguishes the kinds of stores.
enum StoreURL {
    struct Fault: Error {
        let sentence: String
    }

    /// The empty text means the data directory.
    static func location(
        _ url: String, data: String, _ durability: StoreDurability = .local
    ) throws(Fault) -> any StoreLocation {
        guard !url.isEmpty else { return directory(data) }
        guard let colon = url.firstIndex(of: ":") else { throw Fault(sentence: unknown) }
        switch url[..<colon].lowercased() {
        case "sqlite":
            var path = String(url[url.index(after: colon)...])
            if path.hasPrefix("///") { path.removeFirst(2) }
            guard !path.isEmpty, !path.hasPrefix("//") else {
                throw Fault(sentence: "sqlite: names a data directory, as in sqlite:/var/lib/bellwether")
            }
            guard let decoded = PercentDecoding.text(Array(path.utf8)[...], plus: .literal) else {
                throw Fault(sentence: "the path is not percent-encoded UTF-8")
            }
            return directory(decoded)
        case "postgresql", "postgres": return try database(url, durability)
        default: throw Fault(sentence: unknown)
        }
    }

    private static func database(
        _ url: String, _ durability: StoreDurability
    ) throws(Fault) -> any StoreLocation {
        do throws(StoreError) {
            return try PostgresLocation(url, durability: durability)
        } catch .unusable(let sentence) {
            throw Fault(sentence: sentence)
        } catch {
            throw Fault(sentence: error.sentence)
        }
    }

    /// The location of a data directory.
    static func directory(_ path: String) -> any StoreLocation { SQLiteLocation(directory: path) }

    /// The store in a command's option.
    static func option(_ url: String, _ option: String) throws -> any StoreLocation {
        do throws(Fault) {
            guard !url.isEmpty else { throw Fault(sentence: unknown) }
            return try location(url, data: "")
        } catch {
            throw ValidationError("\(option): \(error.sentence).")
        }
    }

    private static let unknown = "it begins with sqlite: or postgresql:"
}

/// The options for the store, for commands that open a store themselves.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The daemon's data directory, or a backup.", valueName: "dir"), completion: .directory)
    var data: String?

    @Option(
        help: ArgumentHelp(
            "The store, where it is not the one of the data directory: sqlite:DIR or a postgresql: URI.",
            valueName: "url"))
    var store: String?

    /// - Parameter directory: The directory without either option; nil if one of the options is required.
    func location(else directory: String? = nil) throws -> any StoreLocation {
        guard let data = data ?? directory ?? store.map({ _ in "" }) else {
            throw ValidationError("Say which store it is: --data or --store.")
        }
        do throws(StoreURL.Fault) {
            return try StoreURL.location(store ?? "", data: data)
        } catch {
            throw ValidationError("--store: \(error.sentence).")
        }
    }
}
