/// The version of the program.
package enum Version {
    package static let text = "0.1.0"
    /// The release date, in the form for manual pages (mdoc(7), Dd).
    package static let date = "November 21, 2026"
}
