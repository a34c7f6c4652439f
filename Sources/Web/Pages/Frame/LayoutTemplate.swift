let layoutTemplate = #"""
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>{{frame.title}} · SpendWise</title>
    <link rel="stylesheet" href="{{frame.style}}">
    <script src="{{frame.script}}" defer></script>
    </head>
    <body>
    <a class="skip" href="#main">Skip to the content</a>
    <header class="top">
    <a class="brand" href="/"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7 5h10M7 9h10M9 5c6 0 6 8 0 8H7l8 7"/></svg>SpendWise</a>
    <nav aria-label="Pages"><ul>
    {{#frame.links}}<li><a href="{{path}}"{{#isCurrent}} aria-current="page"{{/isCurrent}} data-go="{{key}}"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="{{icon}}"/></svg><span>{{title}}</span>{{#.badge}}<b class="badge">{{.}}<span class="hidden"> waiting</span></b>{{/.badge}}</a></li>
    {{/frame.links}}</ul></nav>
    </header>
    <main id="main" tabindex="-1">
    {{#frame.notice}}<div class="notice" role="status" data-notice><p>{{text}}</p>{{#.undo}}<form method="post" action="/app/undo"><input type="hidden" name="csrf" value="{{frame.formToken}}"><input type="hidden" name="group" value="{{.}}"><input type="hidden" name="back" value="{{frame.notice.back}}"><button class="plain" data-key="u">Undo</button></form>{{/.undo}}</div>{{/frame.notice}}
    {{#frame.offer}}<div class="notice offer"><p>{{sentence}}</p><p class="actions"><a class="button" href="/app/mappings/new?offer={{id}}">See and decide</a></p><form method="post" action="/app/mappings/refuse"><input type="hidden" name="csrf" value="{{frame.formToken}}"><input type="hidden" name="offer" value="{{id}}"><button class="plain">Never ask</button></form></div>{{/frame.offer}}
    {{#frame.fix}}<div class="notice offer"><p>{{sentence}}</p><p class="actions"><a class="button plain" href="{{path}}">Mend the template</a></p></div>{{/frame.fix}}
    {{{body}}}
    </main>
    <footer><p>SpendWise {{frame.version}} · <a href="/app/help">Help and keys</a>{{#frame.mayAdminister}} · <a href="/app/settings">Settings</a>{{/frame.mayAdminister}}</p>{{#frame.isLoggedIn}}<form method="post" action="/logout"><input type="hidden" name="csrf" value="{{frame.formToken}}"><button class="plain">Log out</button></form>{{/frame.isLoggedIn}}</footer>
    </body>
    </html>
    """#

let messageTemplate = #"""
    <h1>{{frame.title}}</h1>
    <section class="card">{{#view.lines}}<p>{{.}}</p>{{/view.lines}}<p><a class="button" href="{{view.back}}">Back</a></p></section>
    """#

let problemsTemplate = #"""
    {{^empty(problems)}}<div class="problems" role="alert"><p><strong>That cannot be saved yet.</strong></p><ul>{{#problems}}<li>{{.}}</li>{{/problems}}</ul></div>{{/empty(problems)}}
    """#

/// A mail's text with the words of each field set off.
let markedTemplate = #"""
    <div class="mail" tabindex="0" role="region" aria-label="The mail's text">{{#pieces}}{{#.field}}<mark class="f-{{.}}"><span class="hidden">{{.}}: </span>{{text}}<i aria-hidden="true">{{.}}</i></mark>{{/.field}}{{^.field}}{{text}}{{/.field}}{{/pieces}}</div>
    """#

let helpTemplate = #"""
    <h1>Help and keys</h1>
    <section class="card"><h2>Keys</h2>
    <table class="keys"><caption class="hidden">Keys and what they do</caption><tbody>
    <tr><th scope="row"><kbd>?</kbd></th><td>This list</td></tr>
    <tr><th scope="row"><kbd>/</kbd></th><td>Search</td></tr>
    <tr><th scope="row"><kbd>g</kbd> then <kbd>o</kbd> <kbd>t</kbd> <kbd>r</kbd> <kbd>c</kbd> <kbd>b</kbd> <kbd>m</kbd> <kbd>e</kbd></th><td>Go to Overview, Transactions, Review, Categories, Banks, Mailboxes, Export</td></tr>
    <tr><th scope="row"><kbd>j</kbd> <kbd>k</kbd></th><td>Next and previous row; next and previous item in review</td></tr>
    <tr><th scope="row"><kbd>Enter</kbd></th><td>Open the row</td></tr>
    <tr><th scope="row"><kbd>x</kbd></th><td>Select the row</td></tr>
    <tr><th scope="row"><kbd>a</kbd> <kbd>r</kbd></th><td>In review: accept, reject</td></tr>
    <tr><th scope="row"><kbd>u</kbd></th><td>Undo what was just done</td></tr>
    <tr><th scope="row"><kbd>n</kbd></th><td>New transaction</td></tr>
    </tbody></table>
    <p class="script-only"><label class="check"><input type="checkbox" data-keys-switch checked> Single keys are on</label></p></section>
    <section class="card"><h2>How it works</h2>
    <p>SpendWise reads the alert mails of your banks. What it is sure of is booked by itself; what it is not sure of waits in <a href="/app/review">Review</a>. Every edit here can be taken back, and no mail brings back what you deleted.</p>
    <p>A category follows from a merchant's name by keywords: see <a href="/app/categories">Categories</a>. Money between your own accounts is a transfer, and counts neither as spent nor as received.</p></section>
    """#
