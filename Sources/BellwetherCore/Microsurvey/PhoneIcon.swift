/// The icon of a microsurvey: the name of a phone's icon, a character, or the address of a picture
/// (docs/reference/messaging.md#icons).
public enum PhoneIcon {
    /// The names that the widget draws; `Web/widget/parts/icons.js` has the drawings.
    public static let names: Set<String> = [
        "addToHomescreen", "appMenu", "appendUpLeft", "arrowClockwise", "avatar", "back", "bookmark",
        "checkmark", "chevronDown", "chevronLeft", "chevronRight", "chevronUp", "clipboard", "cloud",
        "competitiveness", "cookies", "creditCard", "critical", "cross", "dataClearance", "delete",
        "deviceDesktop", "deviceMobile", "deviceTablet", "download", "edit", "ellipsis", "externalLink",
        "fingerprinter", "folder", "forward", "globe", "gridAdd", "helpCircle", "history", "home", "image",
        "lightbulb", "lightning", "link", "location", "lock", "login", "logoFirefox", "moreHorizontalRound",
        "newFolder", "nightMode", "notificationDot", "packaging", "pageZoom", "pin", "plus", "price", "print",
        "privateMode", "qrCode", "quality", "readerView", "readingList", "save", "saveFile", "search",
        "settings", "share", "shield", "shipping", "socialMedia", "sponsoredStar", "star", "subtract", "sun",
        "sync", "tab", "tabTray", "tool", "translate", "warning", "whatsNew",
    ]

    /// Whether the widget draws the icon. A name may continue with words for a variant and a size: `homeLarge`.
    public static func isDrawn(_ icon: String) -> Bool {
        isPicture(icon) || icon.unicodeScalars.contains { $0.properties.isEmoji && !$0.isASCII }
            || names.contains { icon.hasPrefix($0) && isVariant(icon.dropFirst($0.count)) }
    }

    private static func isPicture(_ icon: String) -> Bool {
        icon.hasPrefix("https:") || icon.hasPrefix("data:image/")
    }

    private static func isVariant(_ rest: Substring) -> Bool {
        rest.first.map { !$0.isLowercase && !$0.isNumber } ?? true
    }
}
