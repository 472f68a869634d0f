internal import BellwetherAPI
internal import Synchronization

/// The last publication, for workers that start and for the next change: a publish changes one half of it, a reload the
/// other.
final class CurrentPublication: Sendable {
    private let publication: Mutex<Publication>

    init(_ publication: Publication) { self.publication = Mutex(publication) }

    var value: Publication { publication.withLock { $0 } }

    /// Changes it and sends it out. Two changes are sent in the order in which they were made: else a worker could end
    /// with the older one.
    func update(_ change: (inout Publication) -> Void, send: (Publication) -> Void) {
        publication.withLock { publication in
            change(&publication)
            send(publication)
        }
    }
}
