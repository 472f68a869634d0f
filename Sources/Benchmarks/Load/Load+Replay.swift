extension Load {
    /// GETs these lines over and over (see Bench/replay.lua); they are kept in a file of the work directory.
    static func replay(_ lines: [String], named name: String, bench: Workbench) throws -> Load {
        let file = try bench.write(lines.joined(separator: "\n") + "\n", to: name)
        return Load(script: "replay.lua") { [file] }
    }
}
