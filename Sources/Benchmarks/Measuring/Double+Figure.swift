import Foundation

extension Double {
    /// With so many decimals, the same in every locale.
    func figure(places: Int) -> String {
        String(format: "%.\(places)f", self)
    }
}
