internal import BellwetherBase
internal import BellwetherJSON
internal import Surveys
internal import Synchronization

/// A revision that somebody may look at for a while, without a token.
struct Preview: Sendable {
    let app: String
    let slug: String
    let revision: Int
    let document: JSONValue
    let expires: Timestamp

    static let lifetimeSeconds: Int64 = 900
}

/// Previews by ticket, shared by all workers. They are kept in memory only: a restart ends them.
final class PreviewTable: Sendable {
    private static let capacity = 1000
    private let previews = Mutex<[String: Preview]>([:])

    /// - Returns: the ticket: 128 random bits. Where there are too many, those that end first go.
    func add(_ preview: Preview, now: Timestamp) -> String {
        let ticket = SurveyCall.randomID()
        previews.withLock { previews in
            previews = previews.filter { $0.value.expires > now }
            if previews.count >= Self.capacity, let first = previews.min(by: { $0.value.expires < $1.value.expires }) {
                previews[first.key] = nil
            }
            previews[ticket] = preview
        }
        return ticket
    }

    func find(_ ticket: String, now: Timestamp) -> Preview? {
        previews.withLock { $0[ticket] }.flatMap { $0.expires > now ? $0 : nil }
    }
}
