/// Numbers as text for people.
package enum Figure {
    /// A count with commas between thousands.
    package static func count(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + text
    }

    /// `1 answer`, `2 answers`.
    package static func count(_ number: Int, _ noun: String) -> String {
        "\(count(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// A percentage with one decimal place. A smaller share has enough places for its first digits.
    package static func percentage(_ share: Double) -> String {
        let percent = share * 100
        guard percent.isFinite, percent < 1e12 else { return "more than can be said" }
        var places = 1
        var step = 0.1
        while percent > 0, percent < step, places < 6 {
            places += 1
            step /= 10
        }
        return decimal(percent, places: places) + " %"
    }

    private static let barWidth = 24

    /// A share as a bar, rounded to an eighth of a cell.
    package static func bar(_ share: Double?) -> String {
        let eighths = Int((min(max(share ?? 0, 0), 1) * Double(barWidth * 8)).rounded())
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        return (String(repeating: "█", count: eighths / 8) + parts[eighths % 8]).padded(to: barWidth)
    }

    package static func decimal(_ number: Double, places: Int) -> String {
        let scale = (0..<places).reduce(1.0) { product, _ in product * 10 }
        guard (abs(number) * scale).isLess(than: 1e18) else { return "more than can be said" }
        let scaled = Int((abs(number) * scale).rounded())
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int(scale))
        let fraction = String(repeating: "0", count: places - String(rest).count) + String(rest)
        return (number < 0 && scaled > 0 ? "-" : "") + "\(whole).\(fraction)"
    }
}
