// Text of HTML that a reader does not see, and text that must stay.

extension HostileMail {
    /// A forged payment before and after the true one, in an element that a reader does not see.
    static let hiddenTexts: [HostileMail] =
        certainlyHidden.flatMap { name, before, after in
            [
                HostileMail(
                    name + ", before", html("\(before)<p>\(forged)</p>\(after)<p>\(alert)</p>"), .booked()),
                HostileMail(
                    name + ", after", html("<p>\(alert)</p>\(before)<p>\(forged)</p>\(after)"),
                    // The sheet counts for the text before it, too.
                    before.contains("<style>") && before.contains("color:") && !before.contains("background")
                        ? .doubted("hidden_text") : .booked()),
            ]
        }
        + doubtful.map { name, before, after in
            HostileMail(
                name, html("\(before)<p>\(forged)</p>\(after)<p>We moved our office.</p>"), .doubted("hidden_text"))
        }
        + fragments

    private static func block(_ style: String, _ attributes: String = "") -> (String, String) {
        ("<div \(attributes) style=\"\(style)\">", "</div>")
    }

    private static let certainlyHidden: [(String, String, String)] = {
        let styles: [(String, String)] = [
            ("display none", "display:none"), ("in upper case", "DISPLAY:NONE"),
            ("important", "display:none !important"), ("with a comment", "dis/**/play:block;display:/*x*/none"),
            ("with a CSS escape", "d\\69splay:none"), ("with references", "display&#58;&#x6e;one"),
            ("visibility hidden", "visibility:hidden"), ("visibility collapse", "visibility:collapse"),
            ("font size zero", "font-size:0"), ("font size zero in em", "font-size:0.00em"),
            ("font shorthand of zero", "font:0/0 Arial"), ("opacity zero", "opacity:0"),
            ("opacity zero in percent", "opacity:0%"), ("height zero", "height:0;overflow:hidden"),
            ("width zero", "max-width:0px;overflow:hidden"), ("height zero that clips", "max-height:0;overflow:clip"),
            ("hidden from Word", "mso-hide:all"), ("white", "color:#fff"), ("white by name", "color:White"),
            ("white in six digits", "color:#FFFFFF"), ("white by rgb()", "color:rgb(255, 255, 255)"),
            ("white by rgba()", "color:rgba(255,255,255,1)"), ("nearly white", "color:#f4f4f4"),
            ("white, important", "color:#fff!important;color:#000"), ("black on black", "background:#000;color:#000"),
            ("blue on blue", "background-color:#003366;color:#036"), ("black on nearly black", "background:#0a0a0a"),
            ("grey on grey", "background:gray;color:#808080"), ("transparent text", "color:transparent"),
            ("text of alpha zero", "color:rgba(0,0,0,0)"), ("white with an alpha digit", "color:#ffff"),
            ("white, escaped", "co\\6cor:#fff"),
        ]
        let tags: [(String, String, String)] = [
            ("hidden attribute", "<div hidden>", "</div>"),
            ("hidden until found", "<div hidden=until-found>", "</div>"),
            ("comment", "<!--", "-->"), ("comment for Outlook", "<!--[if mso]>", "<![endif]-->"),
            ("comment for an old Outlook", "<!--[if gte mso 9]><table><tr><td>", "</td></tr></table><![endif]-->"),
            ("template element", "<template>", "</template>"), ("noembed", "<noembed>", "</noembed>"),
            ("noframes", "<noframes>", "</noframes>"), ("iframe", "<iframe>", "</iframe>"),
            ("title", "<title>", "</title>"), ("script", "<script>", "</script>"), ("style", "<style>", "</style>"),
            ("attribute", "<p title='", "'></p>"), ("picture's text", "<img alt='", "'>"),
            ("audio", "<audio>", "</audio>"), ("canvas", "<canvas>", "</canvas>"),
            ("data list", "<datalist>", "</datalist>"),
            ("font of white", "<font color=white>", "</font>"),
            ("font of #ffffff", "<font color='#ffffff'>", "</font>"),
            ("font of ffffff", "<font color=ffffff>", "</font>"),
            (
                "cell in its colour", "<table bgcolor=navy><tr><td><font color='#000080'>",
                "</font></td></tr></table>"
            ),
            ("row in its colour", "<table><tr bgcolor='#123456'><td style='color:#123456'>", "</td></tr></table>"),
            (
                "white by inheritance", "<div style='color:#fff'><div><table><tr><td><b>",
                "</b></td></tr></table></div></div>"
            ),
            (
                "white by a class", "<style>.x { color: #fff }</style><div class='a x'>", "</div>"
            ),
            ("white by an id", "<style>#x{color:white}</style><div id=x>", "</div>"),
            ("white by a tag", "<style>section{color:white}</style><section>", "</section>"),
            ("white by a list", "<style>h6, .x , em{color:#fefefe}</style><div class=x>", "</div>"),
            (
                "white by a rule, in a comment", "<style><!-- .x{color:#fff} --></style><div class=x>", "</div>"
            ),
            (
                "background by a rule", "<style>.x{background-color:#036}</style><div class=x style='color:#003366'>",
                "</div>"
            ),
            ("important rule", "<style>.x{color:#fff!important}</style><div class=x style='color:#000'>", "</div>"),
            ("id before class", "<style>#x{color:#fff}.x{color:#000}</style><div class=x id=x>", "</div>"),
            (
                "deep tables", String(repeating: "<table><tr><td hidden>", count: 60),
                String(repeating: "</td></tr></table>", count: 60)
            ),
        ]
        return styles.map { ($0.0, block($0.1).0, block($0.1).1) } + tags
    }()

    private static let doubtful: [(String, String, String)] = {
        let styles: [(String, String)] = [
            ("off the page", "position:absolute;left:-9999px"), ("fixed above other text", "position:fixed;top:0"),
            ("over other text", "position:absolute;top:10px"), ("indented off the page", "text-indent:-9999px"),
            ("margin off the page", "margin-left:-2000px"), ("above the page", "margin-top:-9000px"),
            ("moved to the left", "position:relative;left:-5000px"), ("clipped", "clip:rect(0,0,0,0)"),
            ("clipped by a path", "clip-path:inset(100%)"), ("scaled to nothing", "transform:scale(0)"),
            ("one pixel high", "font-size:1px"), ("a tenth of a pixel high", "font-size:0.1px"),
            ("a hundredth of the size", "font-size:1%"),
            ("by a formula", "font-size:calc(0px)"),
            ("nearly transparent", "opacity:.05"), ("cut to a line of a pixel", "height:1px;overflow:hidden"),
            ("filled with nothing", "-webkit-text-fill-color:transparent"),
            ("letters above each other", "letter-spacing:-1em"),
            ("scaled", "scale:0"), ("translated", "translate:-9999px"), ("filtered", "filter:opacity(0)"),
            ("behind others", "position:relative;z-index:-1"), ("zoomed out", "zoom:0.01"), ("masked", "mask:url(x)"),
            ("margin at the start", "margin-inline-start:-9999px"), ("not rendered", "content-visibility:hidden"),
            ("far to the right", "position:relative;right:9999px"),
            ("turned round", "unicode-bidi:bidi-override;direction:rtl"),
            ("faint", "color:#e4e4e4"), ("faint on black", "background:#000;color:#1c1c1c"),
            ("white by hsl()", "color:hsl(0,0%,100%)"), ("white by a variable", "color:var(--x)"),
            ("white on a gradient", "color:#fff;background:linear-gradient(#fff,#fff)"),
            ("white on a picture", "color:#fff;background-image:url(http://x.example/a.png)"),
            ("white on partly transparent blue", "color:#fff;background:rgba(0,51,102,0.9)"),
            ("white in percent", "color:rgb(100%,100%,100%)"), ("white without #", "color:ffffff"),
            ("alpha nearly zero", "color:rgba(0,0,0,0.01)"), ("inherited by a word", "color:inherit"),
        ]
        let tags: [(String, String, String)] = [
            ("display none by a class", "<style>.x{display:none}</style><div class=x>", "</div>"),
            (
                "display none for screens", "<style>@media only screen { .x{display:none} }</style><div class=x>",
                "</div>"
            ),
            (
                "display none by a sheet for screens", "<style media=screen>.x{display:none}</style><div class=x>",
                "</div>"
            ),
            ("display none by two classes", "<style>.x.y{display:none}</style><div class='x y'>", "</div>"),
            ("display none below another", "<style>div > i.x{display:none}</style><div><i class=x>", "</i></div>"),
            ("display none of all below", "<style>.x *{display:none}</style><div class=x><p>", "</p></div>"),
            ("font size zero by an id", "<style>#x{font-size:0}</style><div id=x>", "</div>"),
            ("invisible by a tag", "<style>article{visibility:hidden}</style><article>", "</article>"),
            ("off the page by a class", "<style>.x{position:absolute}</style><div class=x>", "</div>"),
            (
                "white on a picture of an attribute", "<table background=x.png><tr><td style='color:#fff'>",
                "</td></tr></table>"
            ),
            ("white, with an outer sheet", "<link rel=stylesheet href=x.css><div style='color:#fff'>", "</div>"),
            ("white, with an import", "<style>@import 'x.css';</style><div style='color:#fff'>", "</div>"),
            (
                "white, with rules for a screen",
                "<style>@media (width > 1px){td{color:#000}}</style><div style='color:#fff'>", "</div>"
            ),
            (
                "white, with a rule for nested elements",
                "<style>div p{background:#036}</style><div style='color:#fff'>", "</div>"
            ),
            (
                "white, and a sheet that follows", "<div style='color:#fff'>",
                "</div><style>div{background:#036}</style>"
            ),
            ("white by a sheet that follows", "<div class=x>", "</div><style>.x{color:#fff}</style>"),
            ("gone by a sheet that follows", "<div class=x>", "</div><style>.x{display:none}</style>"),
            ("two classes with two colours", "<style>.x{color:#fff}.y{color:#000}</style><div class='y x'>", "</div>"),
            (
                "white on a column's colour", "<table><col bgcolor='#003366'><tr><td style='color:#fff'>",
                "</td></tr></table>"
            ),
            ("white on an attribute without effect", "<div bgcolor='#003366' style='color:#fff'>", "</div>"),
            ("white on a button", "<button style='color:#fff'>", "</button>"),
        ]
        return styles.map { ($0.0, block($0.1).0, block($0.1).1) } + tags
    }()

    /// Digits that a reader does not see, inside the amount and the merchant.
    private static let fragments: [HostileMail] = [
        ("display:none", "display:none"), ("white", "color:#fff"), ("font size zero", "font-size:0"),
        ("visibility", "visibility:hidden"),
    ].flatMap { name, style in
        let hidden = { (text: String) in "<span style=\"\(style)\">\(text)</span>" }
        return [
            HostileMail("\(name), digits before the amount", html(sentence(amount: "\(hidden("9"))500.00")), .booked()),
            HostileMail("\(name), digits in the amount", html(sentence(amount: "5\(hidden("999"))00.00")), .booked()),
            HostileMail("\(name), a whole amount", html(sentence(amount: "\(hidden("9999.00"))500.00")), .booked()),
            HostileMail("\(name), a merchant", html(sentence(merchant: "\(hidden("THIEF "))COFFEE")), .booked()),
            HostileMail(
                "\(name), words that refuse", html("<p>\(alert)</p><p>\(hidden("This transaction was declined."))</p>"),
                .booked()),
        ]
    }

    /// True payments in the layouts that hide nothing.
    static let shownTexts: [HostileMail] = {
        let styles: [(String, String)] = [
            ("white on blue", "background:#036;color:#fff"),
            ("white on a colour by name", "background-color:navy;color:white"),
            ("small print", "color:#ccc"), ("light grey on dark grey", "background:#333;color:#bbb"),
            ("relative position", "position:relative;top:2px"), ("a small margin", "margin-left:-10px"),
            ("a colour that is none", "color:whiteish"), ("white, then black", "color:#fff;color:#000"),
            ("white, black important", "color:#000!important;color:#fff"),
            ("black over a picture", "color:#000;background:url(x.png)"),
            ("white on blue under a picture", "color:#fff;background:#036 url(x.png) no-repeat"),
            ("white on transparent blue, black text", "color:#111;background:rgba(0,51,102,0.1)"),
            ("half opacity", "opacity:0.5"), ("small letters", "font-size:6px"),
            ("a border of white", "border-color:#fff"),
            ("aria-hidden", "x:y\" aria-hidden=\"true"), ("outline", "outline:0;outline-color:#fff"),
        ]
        let tags: [(String, String, String)] = [
            (
                "white on the cell's colour by a rule",
                "<style>td{background:#036}</style><table><tr><td style='color:#fff'>",
                "</td></tr></table>"
            ),
            ("white on a class's colour", "<style>.h{background-color:#036;color:#fff}</style><div class=h>", "</div>"),
            (
                "white on an id's colour", "<style>#h{background:#036}</style><div id=h><font color=white>",
                "</font></div>"
            ),
            ("white on the page's colour", "<body bgcolor='#003366' text=white>", "</body>"),
            (
                "white on the table's colour", "<table bgcolor=#003366><tr><td><font color=#ffffff>",
                "</font></td></tr></table>"
            ),
            ("black in a white one", "<div style='color:#fff'><div style='color:#000'>", "</div></div>"),
            (
                "blue page, white box",
                "<body style='background:#036;color:#fff'><div style='background:#fff;color:#222'>", "</div>"
            ),
            ("a link in a white text", "<div style='color:#fff'><a href=x>", "</a></div>"),
            ("a list of all tags", "<style>*{color:#222}</style><div>", "</div>"),
            ("rules for phones", "<style>@media (max-width:600px){.w{width:100%!important}}</style><div>", "</div>"),
            ("not for Outlook", "<!--[if !mso]><!-->", "<!--<![endif]-->"),
            ("downlevel revealed", "<![if !mso]>", "<![endif]>"),
            ("unclosed formatting", "<b><i><font color=red><u>", ""),
            ("wrong nesting", "<b><div></b></i>", "</div></font>"),
            (
                "deep tables", String(repeating: "<table><tr><td>", count: 100),
                String(repeating: "</td></tr></table>", count: 100)
            ),
            ("formatting that is closed around a block", "<font color=white><div style='color:#000'>", "</font></div>"),
        ]
        return (styles.map { ($0.0, block($0.1).0, block($0.1).1) } + tags).map { name, before, after in
            HostileMail(name, html("<p>Dear Asha,</p>\(before)<p>\(alert)</p>\(after)<p>Thank you</p>"), .booked())
        }
    }()
}
