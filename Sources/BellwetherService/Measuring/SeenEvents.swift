internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherJSON
internal import Synchronization

/// The names of the behaviour events that clients sent to this process in the last 24 hours, by app. A name that is no
/// typing error was probably sent (docs/findings.md#goals).
///
/// The numbers of apps and names are bounded; later ones are left out.
final class SeenEvents: Sendable {
    static let maximumApps = 1_000
    static let maximumNames = 2_000

    fileprivate struct App {
        /// The last hour in which each name was sent.
        var names: [Identifier: Int64] = [:]
        /// The hour in which old names were removed last.
        var cleanedIn: Int64 = 0
    }

    private let apps = Mutex<[Identifier: App]>([:])

    func note(_ events: some Sequence<ResolvedEvent>, in app: Identifier, at now: Timestamp) {
        let names = events.compactMap { event in
            if case .behavior(let behavior, _) = event.kind { behavior.name } else { nil }
        }
        guard !names.isEmpty else { return }
        apps.withLock { apps in
            guard apps[app] != nil || apps.count < Self.maximumApps else { return }
            for name in names { apps[app, default: App()].note(name, in: now.hour) }
        }
    }

    func names(in app: Identifier, at now: Timestamp) -> Set<Identifier> {
        let seen = apps.withLock { $0[app] }?.names ?? [:]
        return Set(seen.filter { $0.value.isRecent(in: now.hour) }.keys)
    }
}

extension SeenEvents.App {
    /// Old names are removed at most once an hour, however many names are sent.
    fileprivate mutating func note(_ name: Identifier, in hour: Int64) {
        if names[name] == nil, names.count >= SeenEvents.maximumNames, cleanedIn != hour {
            names = names.filter { $0.value.isRecent(in: hour) }
            cleanedIn = hour
        }
        if names[name] != nil || names.count < SeenEvents.maximumNames { names[name] = hour }
    }
}

extension Int64 {
    /// Whether an hour is one of the 24 that end with another one.
    fileprivate func isRecent(in hour: Int64) -> Bool { self > hour - Int64(HourlyCounts.hours) }
}
