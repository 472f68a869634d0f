public import BellwetherBase
internal import BellwetherCore
public import BellwetherJSON

/// The position of a sink in an app's log: the row of a consumer, which is moved by compare and set.
public struct SinkPosition: Sendable {
    public let app: Identifier
    let consumer: Identifier
    /// The number of the last record that is written.
    public let number: Int64
    /// The version of the row; 0 if there is none.
    let version: UInt64
    /// The end of the log.
    public let newest: Int64

    fileprivate var name: RowName { .consumer(app: app, name: consumer) }
}

extension Store {
    /// The position of a sink. A sink without a position begins with the first record that is kept. Nil if nothing was
    /// ever stored for the app. Throws a fault if records after the position were deleted.
    public func position(of sink: SinkSettings, in app: Identifier) throws(SinkFault) -> SinkPosition? {
        do throws(StoreError) {
            let row = try row(.consumer(app: app, name: sink.consumer))
            let logs = try logs(LogQuery(app: app))
            guard let log = logs.logs.first else { return nil }
            var number = log.expired
            if case .consumer(let position)? = row?.value { number = position.number }
            guard number >= log.expired else {
                throw StoreError.rejected(
                    "retention has deleted records of \(app) before the sink \(sink.name) wrote them: set its consumer "
                        + "\(sink.consumer) to the empty cursor, to go on with the first record that is kept")
            }
            return SinkPosition(
                app: app, consumer: sink.consumer, number: number, version: row?.version ?? 0, newest: log.newest)
        } catch {
            if case .rejected(let reason) = error { throw SinkFault(reason, isPassing: false) }
            throw SinkFault(error)
        }
    }

    /// Moves a sink from its position. Returns false if another process has moved it.
    public func move(_ position: SinkPosition, to number: Int64, at now: Timestamp) throws(SinkFault) -> Bool {
        let value = RowValue.consumer(ConsumerPosition(number: number, updatedAt: now))
        let write = RowWrite(name: position.name, expected: position.version, value: value)
        do throws(StoreError) {
            let outcomes = try turn.take { () throws(StoreError) in try self.write([WriteGroup([write])]) }
            if case .written? = outcomes.first { return true }
            return false
        } catch {
            throw SinkFault(error)
        }
    }

    /// The number of records after a sink's position, up to a bound.
    func lag(of sink: SinkSettings, in app: Identifier) -> Int? {
        (try? consumers(of: app, named: sink.consumer))??.first?.lag
    }
}
