import BellwetherService
import Foundation
import Parquet
import TestSupport
import Testing

@testable import Sinks

/// The files of a sink in a folder.
@Suite struct FolderTargetTests {
    private let directory = try! TemporaryDirectory()
    private let name = "events/v1/app/day=2026-11-20/1-0000000000000000.parquet"

    private var root: String { directory.path + "/lake" }

    /// A file of one row, with metadata.
    private static func file(_ metadata: (key: String, value: String)...) -> [UInt8] {
        var (writer, output) = (ParquetWriter([ParquetColumn("n", .int64)], compressor: .none), [UInt8]())
        writer.set(0, Int64(1))
        writer.endRow(&output)
        writer.finish(metadata: metadata, &output)
        return output
    }

    private func content(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: root + "/" + name).map(Array.init)
    }

    @Test func `A file is created once, and says where it ends`() throws {
        let target = FolderTarget(root + "/")
        let first = Self.file(("bellwether.first", "t1"), ("bellwether.last", "t9-1"))
        #expect(try target.create(name, first, last: "t9-1") == .created)
        #expect(try target.create(name, Self.file(), last: "t5") == .exists(last: "t9-1"))
        #expect(content(name) == first)
    }

    @Test func `A file that is no Parquet says nothing`() throws {
        let target = FolderTarget(root)
        #expect(try target.create(name, [1, 2, 3], last: "t5") == .created)
        #expect(try target.create(name, Self.file(), last: "t5") == .exists(last: ""))
        #expect(try target.state(of: name)?.digest == nil)
    }

    @Test func `A file is replaced only from the state that was read`() throws {
        let (target, other) = (FolderTarget(root), FolderTarget(root))
        #expect(try target.state(of: name) == nil)
        #expect(try target.replace(name, Self.file(("bellwether.digest", "a")), digest: "a", from: nil))
        let state = try #require(try target.state(of: name))
        #expect(state.digest == "a")
        #expect(try !other.replace(name, Self.file(), digest: "c", from: nil))
        #expect(try other.replace(name, Self.file(("bellwether.digest", "b")), digest: "b", from: state))
        #expect(try !target.replace(name, Self.file(), digest: "c", from: state))
        #expect(try target.state(of: name)?.digest == "b")
    }

    @Test func `Readers see whole files, and nothing else`() throws {
        let target = FolderTarget(root)
        #expect(try target.names(in: "events/v1/app") == [])
        _ = try target.create(name, Self.file(), last: "t1")
        _ = try target.replace("responses/v1/app/begun=2026-11-20/data.parquet", Self.file(), digest: "", from: nil)
        #expect(try target.names(in: "events/v1/app") == [name])
        let drafts = try FileManager.default.contentsOfDirectory(atPath: root + "/.unfinished")
        #expect(drafts == ["lock"])
    }

    @Test func `Creators of one file at once: one of them creates it`() async throws {
        let root = root
        let name = name
        let created = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let content = Self.file(("bellwether.last", "t\(number)"))
                    return try FolderTarget(root).create(name, content, last: "t\(number)") == .created
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(created == 1)
    }

    @Test func `A folder that cannot be made is a passing fault that names it`() throws {
        #expect(FileManager.default.createFile(atPath: root, contents: nil))
        let fault = #expect(throws: SinkFault.self) { try FolderTarget(root).create(name, [], last: "") }
        #expect(fault?.isPassing == true)
        #expect(fault?.sentence.contains(root) == true)
    }
}
