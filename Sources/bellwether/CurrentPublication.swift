internal import BellwetherAPI
internal import Synchronization

/// The last publication, for new workers and for the next change. A publish changes one part of it, a reload the other.
final class CurrentPublication: Sendable {
    private let publication: Mutex<Publication>

    init(_ publication: Publication) { self.publication = Mutex(publication) }

    var value: Publication { publication.withLock { $0 } }

    /// Changes the publication and sends it. Changes are sent in the order in which they are made; otherwise a worker
    /// could keep an older one.
    func update(_ change: (inout Publication) -> Void, send: (Publication) -> Void) {
        publication.withLock { publication in
            change(&publication)
            send(publication)
        }
    }
}
