internal import CEmbedded

/// The version of the program. `Scripts/version` prints it for everything else that contains it (docs/releasing.md).
package enum Version {
    package static let text = "0.1.0"
    /// The release date, in the form for manual pages (mdoc(7), Dd).
    package static let date = "November 27, 2026"
    /// The commit of a release; nil in other builds.
    package static let commit: String? = {
        let commit = String(cString: bellwether_commit())
        return commit.isEmpty ? nil : commit
    }()
}
