extension Load {
    /// Sends GET requests for these lines repeatedly (see Bench/replay.lua). The lines are stored in a file of the work
    /// directory.
    static func replay(_ lines: [String], named name: String, bench: Workbench) throws -> Load {
        let file = try bench.write(lines.joined(separator: "\n") + "\n", to: name)
        return Load(script: "replay.lua") { [file] }
    }

    /// The same load, but each run begins where the run before it must have ended. So it requests only lines that were
    /// not requested recently.
    static func replayAnew(_ lines: [String], named name: String, bench: Workbench) throws -> Load {
        let file = try bench.write(lines.joined(separator: "\n") + "\n", to: name)
        var start = 0
        return Load(script: "replay.lua") {
            defer { start = (start + 60_000 * bench.seconds) % lines.count }
            return [file, "\(start)"]
        }
    }
}
