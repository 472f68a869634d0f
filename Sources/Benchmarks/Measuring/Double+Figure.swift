import Foundation

extension Double {
    /// The number with this many decimals, the same in every locale.
    func figure(places: Int) -> String {
        String(format: "%.\(places)f", self)
    }

    /// The number with as few decimals as are exact, at most two.
    var shortFigure: String {
        let places = (0...2).first { (self * pow(10, Double($0))).rounded() == self * pow(10, Double($0)) } ?? 2
        return figure(places: places)
    }
}
