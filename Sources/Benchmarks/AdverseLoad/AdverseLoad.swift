/// Connections and requests of adverse clients while a server is measured. Each step is short and never waits, because
/// it runs on the generator's thread, between two of the generator's requests.
protocol AdverseLoad: AnyObject {
    func step(now: Int64)
}
