/// Who makes a change, as the audit names them: a token by its name, everybody else by a name that no token has.
public enum ChangeAuthor {
    /// The folders that are read at start and on SIGHUP.
    public static let file = "file"
    /// Anyone, under `--dev`.
    public static let developer = "dev"
    /// The daemon itself, on nobody's behalf.
    public static let daemon = "daemon"

    /// No token may have such a name: the audit would not tell them apart.
    public static func isReserved(_ name: String) -> Bool { [file, developer, daemon].contains(name) }
}
