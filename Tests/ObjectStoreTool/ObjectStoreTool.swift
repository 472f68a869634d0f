import Foundation
import ObjectStore

/// `object-store-tool ADDRESS [--endpoint URL] [--region R] [--style path|host] [--credentials-file F] [--instance]
/// [--clock SECONDS] [--milliseconds N] [--keys N] [--stop SECONDS] COMMAND…` runs commands one after another over one
/// store, and prints a line of JSON for each. `,` ends a command.
///
/// Commands: `put KEY FILE [absent|match=ETAG|-] [NAME=VALUE…]`, `head KEY`, `get KEY LIMIT FILE`, `list PREFIX`,
/// `delete KEY`, `honors KEY`. `from-input` reads commands as lines whose words are separated by tabs.
@main
struct Tool {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        var options = Options(Array(CommandLine.arguments.dropFirst()))
        do {
            let store = try options.store()
            if let seconds = options.stop {
                let end = Date().addingTimeInterval(seconds)
                store.isStopped = { Date() >= end }
            }
            store.onWarning = { Tool.print(["warning": $0.sentence]) }
            for command in options.commands { run(command, store) }
            while options.readsInput, let line = readLine() {
                run(line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init), store)
            }
        } catch {
            Tool.print(["fault": error.sentence, "passing": error.isPassing])
        }
    }

    static func run(_ words: [String], _ store: ObjectStore) {
        do {
            try execute(words, store)
        } catch {
            Tool.print(["fault": error.sentence, "passing": error.isPassing])
        }
    }

    private static func execute(_ words: [String], _ store: ObjectStore) throws(ObjectStoreFault) {
        switch (words[0], words.count) {
        case ("put", 3...): try put(words, store)
        case ("head", 2):
            guard let head = try store.head(words[1]) else { return Tool.print(["head": NSNull()]) }
            Tool.print(["head": ["etag": head.etag, "size": head.size, "metadata": head.metadata] as [String: Any]])
        case ("get", 4):
            guard let bytes = try store.get(words[1], limit: Int(words[2]) ?? 0) else {
                return Tool.print(["get": NSNull()])
            }
            _ = FileManager.default.createFile(atPath: words[3], contents: Data(bytes))
            Tool.print(["get": bytes.count])
        case ("list", 2): Tool.print(["list": try store.list(words[1])])
        case ("delete", 2):
            try store.delete(words[1])
            Tool.print(["deleted": words[1]])
        case ("honors", 2): Tool.print(["honors": try store.honorsPreconditions(tryingAt: words[1])])
        default: Tool.print(["usage": words])
        }
    }

    private static func put(_ words: [String], _ store: ObjectStore) throws(ObjectStoreFault) {
        let precondition: ObjectStore.Precondition =
            switch words.count > 3 ? words[3] : "-" {
            case "-": .none
            case "absent": .absent
            case let text: .unchanged(etag: String(text.dropFirst("match=".count)))
            }
        let metadata = words.dropFirst(4).map { word in
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : "")
        }
        let body = Array(FileManager.default.contents(atPath: words[2]) ?? Data())
        switch try store.put(words[1], body, metadata: Array(metadata), if: precondition) {
        case .stored(let etag): Tool.print(["stored": etag])
        case .refused: Tool.print(["refused": words[1]])
        }
    }

    static func print(_ value: [String: Any]) {
        let data = (try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys])) ?? Data()
        FileHandle.standardOutput.write(data + Data("\n".utf8))
    }
}

struct Options {
    private var values: [String: String] = [:]
    private var asksInstance = false
    private var address = ""
    private(set) var commands: [[String]] = []
    private(set) var readsInput = false

    var stop: Double? { values["--stop"].flatMap(Double.init) }

    init(_ arguments: [String]) {
        var rest = arguments[...]
        address = rest.popFirst() ?? ""
        while let word = rest.first, word.hasPrefix("--") {
            rest.removeFirst()
            if word == "--instance" { asksInstance = true } else { values[word] = rest.popFirst() }
        }
        commands = rest.split(separator: ",").map(Array.init)
        if commands.first == ["from-input"] { (commands, readsInput) = ([], true) }
    }

    mutating func store() throws(ObjectStoreFault) -> ObjectStore {
        let chain = ObjectCredentialChain(
            credentialsFile: values["--credentials-file"], environment: ProcessInfo.processInfo.environment,
            asksInstance: asksInstance)
        let parsed = ObjectStoreAddress(
            address, endpoint: values["--endpoint"], region: values["--region"] ?? "us-east-1",
            isPathStyle: values["--style"].map { $0 == "path" })
        guard let parsed else { throw .badAnswer("the address is improper") }
        var limits = ObjectStoreLimits()
        if let milliseconds = values["--milliseconds"].flatMap(Int.init) {
            (limits.milliseconds, limits.objectMilliseconds) = (milliseconds, milliseconds)
        }
        if let keys = values["--keys"].flatMap(Int.init) { limits.listedKeys = keys }
        let clock = Int64(values["--clock"] ?? "") ?? 0
        return try ObjectStore(parsed, chain, limits: limits) {
            Int64(Date().timeIntervalSince1970 * 1000) + clock * 1000
        }
    }
}
