/// The actions of bad clients while a server is measured. Each step is short and never waits, for it runs on the
/// generator's own thread, between two of its requests.
protocol AdverseLoad: AnyObject {
    func step(now: Int64)
}
