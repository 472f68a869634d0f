internal import BellwetherBase
internal import BellwetherCore
internal import BellwetherService

/// The entity tags of bundles: the app's revision and a digest of the text. The tag is the same in a daemon with
/// another store. Belongs to one thread and one snapshot.
final class BundleTags {
    private var tags: [String: String] = [:]

    func removeAll() { tags.removeAll() }

    func tag(of app: AppSnapshot) -> String {
        if let known = tags[app.name] { return known }
        var digest = SHA256()
        for piece in app.bundle.pieces { digest.update(piece) }
        let tag = "\"\(app.catalog.revision)-\(Digest.hex(digest.finalize().prefix(12)))\""
        tags[app.name] = tag
        return tag
    }
}
