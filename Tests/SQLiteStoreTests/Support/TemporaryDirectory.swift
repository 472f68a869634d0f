import Foundation
import Glibc

/// A directory of one test, gone with it.
final class TemporaryDirectory: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/bellwether-store-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    }

    var database: String { path + "/bellwether.sqlite" }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
