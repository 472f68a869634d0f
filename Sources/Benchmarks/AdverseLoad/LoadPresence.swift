/// The proof that the adverse load was present, by the daemon's own count, and its effect on the daemon's memory.
struct LoadPresence: CustomStringConvertible {
    let before: Look
    let after: Look

    var description: String {
        """
        \(after.resident.figure(places: 0)) MB resident (from \(before.resident.figure(places: 0))), \(after.open) open, \
        \(after.accepted - before.accepted) came
        """
    }

    /// The daemon at one moment.
    struct Look {
        /// Resident memory, in megabytes.
        let resident: Double
        let open: Int
        let accepted: Int

        init(_ server: BellwetherServer) throws {
            resident = try ProcessUsage.resident(of: server.pid)
            let metrics = try LoopbackClient(port: server.port).get("/metrics").text
            let value = { (name: String) in
                metrics.split(separator: "\n").first { $0.hasPrefix(name + " ") }
                    .flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
            }
            open = value("bellwether_connections")
            accepted = value("bellwether_connections_accepted_total")
        }
    }
}
