import Foundation
import TestSupport

/// Permissions that the program obeys even if root runs the tests.
enum Permissions {
    static func set(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Runs the program without root's capability to ignore permissions.
    static func bellwether(_ arguments: String...) throws -> Command {
        let obeying = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"]
        return try Command.run((getuid() == 0 ? obeying : []) + [BellwetherProgram.path] + arguments)
    }
}
