/// A set of Unicode scalars, as a pattern writes it.
struct CharacterClass: Sendable, Hashable {
    enum Member: Sendable, Hashable {
        case range(UInt32, UInt32)
        case digit
        case word
        case space
        /// All but line terminators.
        case anyOnLine
        case category(GeneralCategory)
        indirect case not(CharacterClass)
    }

    /// A general category of Unicode by its one or two letters: `L`, `Lu`, `Nd`.
    struct GeneralCategory: Sendable, Hashable {
        let name: String

        init?(_ name: String) {
            guard Self.names.contains(where: { $0 == name || (name.utf8.count == 1 && $0.hasPrefix(name)) }) else {
                return nil
            }
            self.name = name
        }

        private static let names = [
            "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po",
            "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn",
        ]

        func contains(_ scalar: Unicode.Scalar) -> Bool {
            CharacterClass.categoryName(scalar).hasPrefix(name)
        }
    }

    var members: [Member] = []
    var isNegated = false
    var ignoresCase = false

    init(_ members: [Member], isNegated: Bool = false, ignoresCase: Bool = false) {
        (self.members, self.isNegated, self.ignoresCase) = (members, isNegated, ignoresCase)
    }

    init(_ scalar: Unicode.Scalar, ignoresCase: Bool = false) {
        self.init([.range(scalar.value, scalar.value)], ignoresCase: ignoresCase)
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        var isMember = hasMember(scalar)
        if !isMember, ignoresCase {
            for other in [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping] where !isMember {
                guard let single = other.unicodeScalars.first, other.unicodeScalars.count == 1 else { continue }
                isMember = hasMember(single)
            }
        }
        return isMember != isNegated
    }

    private func hasMember(_ scalar: Unicode.Scalar) -> Bool {
        members.contains { member in
            switch member {
            case .range(let low, let high): (low...high).contains(scalar.value)
            case .digit: scalar.properties.generalCategory == .decimalNumber
            case .word: Self.isWord(scalar)
            case .space: Self.isSpace(scalar)
            case .anyOnLine: !Self.isLineTerminator(scalar)
            case .category(let category): category.contains(scalar)
            case .not(let other): !other.contains(scalar)
            }
        }
    }

    static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isAlphabetic || scalar.value == 0x200C || scalar.value == 0x200D { return true }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation: true
        default: false
        }
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0C, 0x0D: return true
        default: break
        }
        return switch scalar.properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    private static func isLineTerminator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    fileprivate static func categoryName(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter: "Lu"
        case .lowercaseLetter: "Ll"
        case .titlecaseLetter: "Lt"
        case .modifierLetter: "Lm"
        case .otherLetter: "Lo"
        case .nonspacingMark: "Mn"
        case .spacingMark: "Mc"
        case .enclosingMark: "Me"
        case .decimalNumber: "Nd"
        case .letterNumber: "Nl"
        case .otherNumber: "No"
        case .connectorPunctuation: "Pc"
        case .dashPunctuation: "Pd"
        case .openPunctuation: "Ps"
        case .closePunctuation: "Pe"
        case .initialPunctuation: "Pi"
        case .finalPunctuation: "Pf"
        case .otherPunctuation: "Po"
        case .mathSymbol: "Sm"
        case .currencySymbol: "Sc"
        case .modifierSymbol: "Sk"
        case .otherSymbol: "So"
        case .spaceSeparator: "Zs"
        case .lineSeparator: "Zl"
        case .paragraphSeparator: "Zp"
        case .control: "Cc"
        case .format: "Cf"
        case .surrogate: "Cs"
        case .privateUse: "Co"
        case .unassigned: "Cn"
        @unknown default: "Cn"
        }
    }
}
