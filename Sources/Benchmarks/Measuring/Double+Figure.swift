import Foundation

extension Double {
    /// With so many decimals, the same in every locale.
    func figure(places: Int) -> String {
        String(format: "%.\(places)f", self)
    }

    /// As many decimals as it has, up to two.
    var shortFigure: String {
        let places = (0...2).first { (self * pow(10, Double($0))).rounded() == self * pow(10, Double($0)) } ?? 2
        return figure(places: places)
    }
}
