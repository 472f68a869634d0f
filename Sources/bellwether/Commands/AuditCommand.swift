internal import ArgumentParser
internal import BellwetherCommands
internal import BellwetherJSON
internal import BellwetherService

/// `bellwether audit`: reads the audit of changes, and checks that it is complete (docs/reference/http-api.md#audit).
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Read the audit, and check that it is whole.",
        subcommands: [List.self, Verify.self, AuditDigest.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the audit of a running daemon, oldest first.",
            discussion: "Needs a token of scope admin for all apps.")

        @Option(help: ArgumentHelp("Only records after this one.", valueName: "sequence"))
        var after = 0

        @Option(help: "At most so many records; without it, all.")
        var limit: Int?

        @Flag(help: "The records themselves, a JSON object a line.")
        var json = false

        @OptionGroup var remote: RemoteOptions

        func validate() throws {
            if after < 0 { throw ValidationError("A sequence number is not negative.") }
            if let limit, limit < 1 { throw ValidationError("The limit is at least 1.") }
        }

        func run() throws {
            let daemon = try remote.daemon()
            var (after, left) = (after, limit ?? .max)
            while left > 0 {
                let page = try daemon.send(
                    RemoteRequest("GET", "v1", "audit").with("after", "\(after)").with("limit", "\(min(left, 10_000))"))
                let records = try page.lines()
                guard let next = page.header("Bellwether-Next").flatMap({ Int($0) }), next > after else { return }
                try print(records)
                (after, left) = (next, left - records.count)
            }
        }

        private func print(_ records: [JSONValue]) throws {
            let columns = ["sequence", "at", "by", "action", "kind", "app", "name", "revision", "state"]
            try TextTable(columns: columns, rows: records).print(asJSON: json)
        }
    }

    /// Works without a daemon, or beside one: reads the file, and changes nothing.
    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check that no record of the audit was changed, put in or left out.",
            discussion: """
                Each record holds the hash of the one before. Prints how many there are and the hash of the last; kept \
                elsewhere, that tells later whether the audit still begins with the same records. Exits with 1 at the \
                first bad record.
                """)

        @OptionGroup var store: StoreOptions

        @Flag(help: "The verdict as a JSON object.")
        var json = false

        func run() throws {
            let location = try store.location()
            let verdict: Result<AuditChain, AuditFault>
            do throws(StoreError) {
                verdict = try location.verifyAudit()
            } catch {
                StandardError.write(error.sentence)
                throw ExitCode(1)
            }
            try StandardOutput.writeLine(json ? verdict.json.text : verdict.sentence)
            if case .failure = verdict { throw ExitCode(1) }
        }
    }
}

extension Result<AuditChain, AuditFault> {
    fileprivate var sentence: String {
        switch self {
        case .success(let chain): "\(chain.sequence) records, whole; the last is \(Digest.hex(chain.hash))"
        case .failure(let fault): fault.description
        }
    }

    fileprivate var json: JSONValue {
        switch self {
        case .success(let chain):
            ["whole": true, "records": .integer(chain.sequence), "hash": .string(Digest.hex(chain.hash))]
        case .failure(let fault):
            ["whole": false, "record": .integer(fault.sequence), "fault": .string(fault.description)]
        }
    }
}
