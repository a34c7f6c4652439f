import InternetMessage
import Testing

/// HTML and its expected text.
struct HTMLFixture: Sendable, CustomTestStringConvertible {
    let name: String
    let html: String
    let text: String

    init(_ name: String, _ html: String, _ text: String) {
        self.name = name
        self.html = html
        self.text = text
    }

    var testDescription: String { name }
}

@Suite struct HTMLTextTests {
    @Test(arguments: layout + tokens + references + hidden + colors + unclosed + blanks)
    func rendered(_ fixture: HTMLFixture) {
        #expect(CanonicalText(html: Array(fixture.html.utf8)).description == fixture.text)
    }

    /// The same with CR LF instead of LF.
    @Test(arguments: layout + tokens + references + hidden + colors + unclosed + blanks)
    func renderedWithCRLF(_ fixture: HTMLFixture) {
        let html = fixture.html.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        #expect(CanonicalText(html: Array(html.utf8)).description == fixture.text)
    }

    /// Rendering is idempotent, and HTML truncated anywhere gives canonical text.
    @Test(arguments: layout + tokens + references + hidden + colors + unclosed + blanks)
    func cutAnywhere(_ fixture: HTMLFixture) {
        let html = Array(fixture.html.utf8)
        for end in 0...html.count {
            let text = CanonicalText(html: Array(html.prefix(end)))
            #expect(isCanonical(text.bytes))
        }
    }

    static let layout: [HTMLFixture] = [
        .init("blocks break lines", "<p>one</p><div>two<div>three</div>four</div>five", "one\ntwo\nthree\nfour\nfive"),
        .init("break", "one<br>two<br/>three</br>four", "one\ntwo\nthree\nfour"),
        .init("rule", "one<hr>two", "one\ntwo"),
        .init(
            "rows and cells", "<table><tr><td>Amount</td><td>INR 5</td></tr><tr><th>At</th><td>Shop</td></tr></table>",
            "Amount INR 5\nAt Shop"),
        .init("cells without end tags", "<table><tr><td>a<td>b<tr><td>c</table>d", "a b\nc\nd"),
        .init("list items", "<ul><li>one<li>two<ul><li>three</ul><li>four</ul>", "one\ntwo\nthree\nfour"),
        .init("terms", "<dl><dt>Amount<dd>5<dt>At<dd>Shop</dl>", "Amount\n5\nAt\nShop"),
        .init("options", "<select><option>one<option>two</select>", "one\ntwo"),
        .init(
            "inline elements join", "18<sup>th</sup> J<b>a</b>n, Rs.<span>1,<i>234</i></span>.50",
            "18th Jan, Rs.1,234.50"),
        .init("a picture is a gap and has no text", "Paid to<img alt='INR 900.00' src=x>Shop", "Paid to Shop"),
        .init("line end is a blank", "Rs.\n  5.00\n\tpaid", "Rs. 5.00 paid"),
        .init(
            "pre keeps lines", "<pre>one\n two</pre><div style='white-space: pre-wrap'>a\nb</div>c\nd",
            "one\ntwo\na\nb\nc d"),
        .init(
            "display in a style", "<span style='display:block'>a</span>b<div style='display:inline'>c</div>d",
            "a\nb c d"),
        .init("headings", "<h1>a<h2>b</h1>c", "a\nb\nc"),
        .init("text after the document", "<html><body>a</body></html>b", "ab"),
        .init("two documents", "<html><body><div>a<html><body>b</div>c", "ab\nc"),
        .init("nothing", "", ""),
    ]

    static let tokens: [HTMLFixture] = [
        .init("doctype, processing instruction", "<!DOCTYPE html \"a>b\">a<?xml x?>b", "b\">ab"),
        .init("comment", "a<!-- INR 9.00 <b> -- > -->b", "ab"),
        .init("empty comments", "a<!-->b<!--->c<!---->d", "abcd"),
        .init("comment ended wrongly", "a<!-- x --!>b<!----!>c", "abc"),
        .init("comment not ended by two hyphens", "a<!---!>b-->c", "ac"),
        .init("unclosed comment", "a<!-- b", "a"),
        .init("bogus comments", "a<!x>b</ x>c</>d<![CDATA[e>f", "abcdf"),
        .init(
            "conditional comments",
            "a<!--[if mso]><p>Rs.9</p><![endif]-->b<![if !mso]>c<![endif]><!--[if !mso]><!-->d<!--<![endif]-->", "abcd"),
        .init("a mere less-than sign", "3 < 4 <5 a<", "3 < 4 <5 a<"),
        .init("end of mail in a tag", "a<b class=\"x>y", "a"),
        .init("greater-than in an attribute", "a<b title='x>y' data-x=\">\">c</b>", "ac"),
        .init("attributes oddly written", "<p =x='y'a = 'b'/c=d/>e</p><p/>f", "e\nf"),
        .init("unquoted value with a slash", "<a href=http://x.example/y/>z</a>", "z"),
        .init("upper case", "<STYLE>x</STYLE><P>a<BR>b</P>", "a\nb"),
        .init(
            "head, style, script, title, template",
            "<head><title>t &amp; </p></title><style>p{}</style></head><script>s<b></script><template>u</template>v",
            "v"),
        .init("style is ended by its own tag only", "<style> </p> </sty </stylex> < </style >a", "a"),
        .init("nested script in an escape", "<script><!--<script>a</script>b--></script>c", "c"),
        .init("script escape ended at once", "<script><!--><script>a</script>b", "b"),
        .init(
            "raw text", "<xmp><b>a&amp;</xmp><textarea><b>c&amp;\nd</textarea><iframe>e</iframe>", "<b>a&amp;\n<b>c&\nd"
        ),
        .init("plaintext", "a<plaintext><b>c</plaintext>", "a\n<b>c</plaintext>"),
        .init(
            "svg", "a<svg><title>b</title><text>c</text><path/></svg>d<svg/>e<svg><text>f<p>g",
            "adeg".replacing("g", with: "\ng")),
        .init("CDATA in svg", "a<svg><![CDATA[ > b ]]></svg>c", "ac"),
    ]

    static let references: [HTMLFixture] = [
        .init("named", "&lt;b&gt; &amp; &quot;&apos; &copy; &rupee; &euro;", "<b> & \"' © &rupee; €"),
        .init("blanks", "INR&nbsp;4999&ensp;&#160;&#xA0;x", "INR 4999 x"),
        .init("numeric", "&#8377;500 &#x20b9;5 &#X20B9 &#65b", "₹500 ₹5 ₹ Ab"),
        .init("windows-1252 numbers", "&#128;&#146;&#150;&#x99;", "€’–™"),
        .init("no characters", "&#0;&#xD800;&#x110000;&#99999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        .init("not numbers", "&#; &#x; &#xg; &", "&#; &#x; &#xg; &"),
        .init("legacy names without semicolon", "&copyright &ampx &ltb &notit; &notin;", "©right &x <b ¬it; ∉"),
        .init(
            "longest name", "&CounterClockwiseContourIntegral; &CounterClockwiseContourIntegra",
            "∳ &CounterClockwiseContourIntegra"),
        .init("two code points", "&NotEqualTilde; &bne;", "≂̸ =⃥"),
        .init("first and last names", "&AElig &AElig; &zwj;x&zwnj;y &zscr;", "Æ Æ xy 𝓏"),
        .init("unknown", "&nosuchname; &; &1;", "&nosuchname; &; &1;"),
        .init("not in tags", "<a href='?a=1&copy=2'>x</a>", "x"),
    ]

    static let hidden: [HTMLFixture] = [
        .init("display none", "a<div style=\"display:none\">b<p>c</p></div>d", "ad"),
        .init(
            "written otherwise", "a<i style='color:red; DISPLAY : None !important'>b</i><i style=display:none;>c</i>d",
            "ad"),
        .init(
            "a later declaration counts",
            "<i style='display:none;display:inline'>a</i><i style='display:none!important;display:block'>b</i>c", "ac"),
        .init("no such property", "<i style='x-display:none;display:nonesuch'>a</i>", "a"),
        .init(
            "disguised",
            "a<i style='disp\\6c ay:none'>b</i><i style='display:/**/none'>c</i><i style='display&#58;non&#101;'>d</i>e",
            "ae"),
        .init("the first style counts", "<i style='display:none' style='display:inline'>a</i>b", "b"),
        .init("hidden attribute", "a<p hidden>b</p><p HIDDEN=''>c</p><p hidden style='display:block'>d</p>", "a\nd"),
        .init("not the hidden attribute", "<p data-hidden aria-hidden=true>a</p>", "a"),
        .init("visibility", "a <i style='visibility:hidden'>b <u style='visibility:visible'>c</u> d</i> e", "a c e"),
        .init(
            "font size zero",
            "a<i style='font-size:0'>b</i><i style='font-size: 0.0px'>c</i><i style='font:0/0 a'>d</i>e", "ae"),
        .init(
            "font size zero is reset inside",
            "<td style='font-size:0px'><div style='font-size:13px'>a</div><div style='font-size:2em'>b</div></td>", "a"),
        .init(
            "font sizes that are not zero",
            "<i style='font-size:0.1px'>a</i><i style='font-size:10px'>b</i><i style='font:bold 12px/0 x'>c</i>", "abc"),
        .init(
            "cells in a table of font size zero",
            "<table style='font-size:0px'><tr><td><b style='font-size:9px'>a</b></td><td><img></td><td><b style='font-size:9px'>b</b></td></tr></table>",
            "a b"),
        .init("Word only", "a<div style='mso-hide:all'>b</div>c", "ac"),
        .init(
            "opacity, height",
            "a<i style='opacity:0'>b</i><div style='max-height:0;overflow:hidden'>c</div><div style='max-height:0px'>d</div>",
            "a\nd"),
        .init("opacity that shows", "<i style='opacity:0.5'>a</i><i style='opacity:1'>b</i>", "ab"),
        .init("nested", "a<div style='display:none'>b<div>c</div>d<div style='display:none'>e</div>f</div>g", "ag"),
        .init("void elements inside", "a<div hidden>b<br><img><input>c<meta><link></div>d", "ad"),
        .init("a hidden void element hides nothing", "a<img style='display:none'>b<br hidden>c", "abc"),
    ]

    static let colors: [HTMLFixture] = [
        .init("white on white", "a<i style='color:#fff'>b</i><font color=white>c</font>d", "ad"),
        .init("a block of white still breaks the line", "a<div style='color:white'>b</div>c", "a\nc"),
        .init("an element inside shows itself", "a<i style='color:#fff'>b<b style='color:#000'>c</b>d</i>e", "ace"),
        .init("white on a colour", "<table bgcolor=navy><tr><td style='color:#fff'>a</table>", "a"),
        .init(
            "a rule gives the colour", "<style>td{background:#036}</style><table><tr><td style='color:#fff'>a</table>",
            "a"),
        .init("a rule for the same colour", "<style>.x{color:#fff}</style>a<i class=x>b</i>", "a"),
        .init("a later colour counts", "<i style='color:#fff;color:#000'>a</i>", "a"),
        .init("an important colour counts", "<i style='color:#000!important;color:#fff'>a</i>", "a"),
        .init("a word that is no colour", "<i style='color:#000;color:nonesuch'>a</i>", "a"),
        .init("a difference of 16 and of 17", "<i style='color:#efefef'>a</i><i style='color:#eeeeee'>b</i>", "b"),
        .init("on a picture", "<i style='background:url(x.png);color:#fff'>a</i>", "a"),
        .init("on a gradient", "<i style='background-image:linear-gradient(#000,#fff);color:#fff'>a</i>", "a"),
        .init("on a partly transparent colour", "<i style='background:rgba(0,0,0,.5);color:#fff'>a</i>", "a"),
        .init("a sheet that follows", "<i style='color:#fff'>a</i><style>i{background:#000}</style>", "a"),
        .init("a rule that is not applied", "<style>p i{background:#000}</style><i style='color:#fff'>a</i>", "a"),
        .init("an outer sheet", "<link rel=stylesheet href=x><i style='color:#fff'>a</i>", "a"),
        .init("formatting closed around a block", "<font color=white>a<div>b</font>c</div>d", "c\nd"),
        .init("a link has its own colour", "<i style='color:#fff'>a<a href=x>b</a>c</i>", "b"),
    ]

    /// Text that a reader may not see is read, and its place is known.
    @Test(arguments: [
        ("a<i style='color:#e0e0e0'>bc</i>d", ["bc"]), ("a<i style='color:#ccc'>b</i>", []),
        ("<i style='position:absolute'>ab</i> c", ["ab"]), ("<style>.x{display:none}</style>a<i class=x>b</i>c", ["b"]),
        ("ab<style>.x{color:#fff}</style>c", ["ab"]),
        ("<style>.x{color:#fff}.y{color:#000}</style><i class='x y'>a</i>b", ["a"]),
        ("<div style='font-size:0px'><b style='font-size:12px'>a</b></div>", []),
        ("<i style='font-size:calc(9px + 1vw)'>a</i>", []),
        ("<i style='font-size:1px'>a</i>b<i style='font-size:9px'>c</i>", ["a"]),
        ("<style>a:hover,.x:first-child,[x]{display:none}</style><i class=x>a</i>b", []),
        ("<style>@media (max-width:600px){.x{display:none}}.y{color:#000}</style><i class='x y'>a</i>b", []),
        ("<style>@media screen{.x{display:none}}.y{opacity:0}</style><i class=x>a</i>b<i class=y>c</i>", ["a", "c"]),
        ("<style>td.x{display:none}</style>a<i class=x>b</i><i>c</i>", ["b"]),
        ("<i style='opacity:.9;letter-spacing:-1px;z-index:1;line-height:1px'>a</i>b", []),
        ("<i style='color:var(--x)'>a</i>b", ["a"]), ("<p>a</p><p style='background:#036;color:#fff'>b</p>", []),
    ]) func uncertain(html: String, expected: [String]) {
        let text = CanonicalText(html: Array(html.utf8))
        #expect(text.uncertain.map { String(decoding: text.bytes[$0], as: UTF8.self) } == expected)
    }

    static let unclosed: [HTMLFixture] = [
        .init("hidden paragraph ends with the next block", "<p hidden>a<p>b", "b"),
        .init(
            "hidden cell ends with the next cell", "<table><tr><td hidden>a<td>b<tr hidden><td>c<tr><td>d</table>e",
            "b\nd\ne"),
        .init(
            "hidden span ends with its cell",
            "<table><tr><td><span style='display:none'>a</td><td>b</td></tr></table>c", "b\nc"),
        .init("hidden item", "<ul><li hidden>a<li>b</ul>c", "b\nc"),
        .init("hidden option", "<option hidden>a<option>b", "b"),
        .init("hidden link ends with the next", "<a hidden>a<a>b</a>c", "bc"),
        .init("formatting across blocks", "<b hidden>a<p>b</b>c</p>d", "c\nd"),
        .init("stray end tags", "<div hidden>a</span></p></td></table>b</div>c</div></b>d", "cd"),
        .init("a table inside a hidden cell", "<table><tr><td hidden>a<table><tr><td>b</table>c<td>d</table>", "d"),
        .init("an end tag does not reach out of a cell", "<div><table><tr><td>a</div>b</td></tr></table></div>", "ab"),
        .init("an inline end tag does not reach out of a block", "<span hidden>a<div>b</span>c</div>d</span>e", "e"),
        .init("never closed", "a<div hidden>b<p>c", "a"),
        .init("hidden heading", "<h1 hidden>a</h2>b", "b"),
        .init("paragraph never opened", "a</p>b", "a\nb"),
        .init("unknown elements", "<o:p hidden>a</o:p>b<x-y>c</x-y>", "bc"),
    ]

    static let blanks: [HTMLFixture] = [
        .init("blanks collapse", "  a \t b \u{A0}\u{2003}\u{3000}c\u{202F}d\u{2028}e  ", "a b c d e"),
        .init("lines are trimmed and empty ones dropped", "<p> a </p>\n<p>&nbsp;</p>\n<p> </p> b ", "a\nb"),
        .init(
            "invisible characters go",
            "1\u{200B}2\u{AD}3\u{202E}4\u{2066}5\u{FEFF}6\u{200D}7\u{34F}8\u{E0041}9\u{FE0F}0\u{180E}", "1234567890"),
        .init("invisible characters do not hide a gap", "a \u{200B} b\u{2060}\n\u{200E}c", "a b c"),
        .init("control characters go", "a\u{0}b\u{1}c\u{7F}d\u{9F}e", "abcde"),
        .init("other scripts stay", "खाते में ₹500 जमा 日本 é 𝄞", "खाते में ₹500 जमा 日本 é 𝄞"),
    ]
}

/// Returns true for canonical text: valid UTF-8, one separator between words, none at the ends.
func isCanonical(_ bytes: [UInt8]) -> Bool {
    guard String(validating: bytes, as: UTF8.self) != nil else { return false }
    var previous: UInt8 = 32
    for byte in bytes {
        if byte == 32 || byte == 10, previous == 32 || previous == 10 { return false }
        if byte < 32 && byte != 10 || byte == 127 { return false }
        previous = byte
    }
    return bytes.isEmpty || previous != 32 && previous != 10
}
