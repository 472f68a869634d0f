extension Load {
    /// GETs these lines over and over (see Bench/replay.lua); they are kept in a file of the work directory.
    static func replay(_ lines: [String], named name: String, bench: Workbench) throws -> Load {
        let file = try bench.write(lines.joined(separator: "\n") + "\n", to: name)
        return Load(script: "replay.lua") { [file] }
    }

    /// The same, each run from where the one before it must have ended: what it asks was not asked lately.
    static func replayAnew(_ lines: [String], named name: String, bench: Workbench) throws -> Load {
        let file = try bench.write(lines.joined(separator: "\n") + "\n", to: name)
        var start = 0
        return Load(script: "replay.lua") {
            defer { start = (start + 60_000 * bench.seconds) % lines.count }
            return [file, "\(start)"]
        }
    }
}
