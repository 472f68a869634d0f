internal import BellwetherCore
public import BellwetherService

extension RowValue {
    /// The value without the mark, which the writer of rows adds to what transactions want.
    public var withoutMark: RowValue {
        guard case .client(var state) = self else { return self }
        state.changes = ChangeMark()
        return .client(state)
    }
}
