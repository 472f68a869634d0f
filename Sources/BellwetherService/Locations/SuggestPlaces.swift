public import BellwetherJSON
public import Surveys
internal import Synchronization

/// Suggests places for location fields: cities, regions and countries from a table, and addresses from a provider
/// (docs/reference/flows.md#locations).
///
/// A queue reads the table at the first request, and searches it. So no worker waits for it.
public final class SuggestPlaces: Sendable {
    private enum Table {
        case unread
        case read(CityTable?)
    }

    /// The bytes that a request keeps while it waits.
    private static let questionBytes = 1024

    private let queue: BackgroundQueue
    private let readTable: @Sendable () -> CityTable?
    private let offset: @Sendable (_ timeZone: String) -> Int?
    private let addresses: AddressProvider?
    private let table = Mutex(Table.unread)

    /// - Parameters:
    ///   - readTable: returns nil if there is no table that can be read; called once.
    ///   - offset: returns the offset of a time zone in standard time, in minutes east of UTC.
    public init(
        queue: BackgroundQueue, readTable: @escaping @Sendable () -> CityTable?,
        offset: @escaping @Sendable (_ timeZone: String) -> Int?, addresses: AddressProvider? = nil
    ) {
        (self.queue, self.readTable, self.offset, self.addresses) = (queue, readTable, offset, addresses)
    }

    /// Sets the secrets for later requests.
    public func follow(_ secrets: WebhookSecrets) { addresses?.follow(secrets) }

    /// Completes with the best suggestions first, or with none if too many requests wait. The completion is called
    /// once, on another thread.
    public func suggest(
        _ query: LocationQuery, for app: Identifier, _ completion: @escaping @Sendable ([LocationSuggestion]) -> Void
    ) {
        if query.kind == .address, query.hasEnough, let addresses {
            return addresses.suggest(query, for: app, offset: offset, completion)
        }
        let isAdmitted = queue.async(keeping: Self.questionBytes) { [self] in
            completion(cities()?.suggestions(for: query) ?? [])
        }
        if !isAdmitted { completion([]) }
    }

    private func cities() -> CityTable? {
        table.withLock { table in
            if case .read(let cities) = table { return cities }
            let cities = readTable()
            table = .read(cities)
            return cities
        }
    }
}
