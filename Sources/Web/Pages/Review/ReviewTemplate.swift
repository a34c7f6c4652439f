let reviewTemplate = #"""
    {{#view}}<h1>Review</h1>
    {{#isEmpty}}<section class="card empty"><h2>Nothing waits</h2><p>Everything was read with confidence. What SpendWise is not sure of will appear here. Until then, the <a href="/">Overview</a> shows where the money went.</p></section>{{/isEmpty}}
    {{^empty(lines)}}<p class="sub">{{total}}. {{#more}}{{.}}{{/more}}</p><div class="card"><ul class="rows queue">{{#lines}}<li data-row><a href="{{path}}"><span class="name">{{title}}</span>{{#.amount}}<span class="num">{{.}}</span>{{/.amount}}</a><p class="note">{{date}}{{#.subject}} · {{.}}{{/.subject}}</p></li>
    {{/lines}}</ul></div>{{/empty(lines)}}
    {{^empty(asked)}}<section class="card" aria-labelledby="asked"><h2 id="asked">Are these transfers between your accounts?</h2>{{>transfer-questions}}<p><a href="/app/transfers">{{askedMore}}</a></p></section>{{/empty(asked)}}{{/view}}
    """#

let reviewItemTemplate = #"""
    {{#view}}<p class="crumb"><a href="/app/review">The queue</a>{{#place}} · {{.}}{{/place}}{{#previous}} · <a href="/app/review/{{.}}" data-key="k">Previous</a>{{/previous}}{{#next}} · <a href="/app/review/{{.}}" data-key="j">Next</a>{{/next}}</p>
    <div class="head"><h1>{{heading}}</h1>{{#amountText}}<p class="big num">{{.}}</p>{{/amountText}}</div>
    {{#isSettled}}<p class="hint">{{.}} {{#next}}<a href="/app/review/{{.}}">To what waits</a>{{/next}}</p>{{/isSettled}}{{>problems}}
    <div class="columns two"><div class="stack">
    {{#source}}<section class="card" aria-labelledby="mail"><h2 id="mail">What the mail says</h2><p class="note"><strong>{{subject}}</strong><br>{{sender}} · {{arrived}}</p>{{#isKept}}{{>marked}}<p class="note actions"><a href="/app/review/{{id}}/template">{{#hasTemplate}}It is read wrongly: mend the template{{/hasTemplate}}{{^hasTemplate}}Make a template for such mails{{/hasTemplate}}</a> <a href="/app/review/{{id}}/template?want=ignore">Ignore this kind of mail</a></p>{{/isKept}}{{^isKept}}<p class="empty">Its text is not kept any more. Look it up in your mailbox.</p>{{/isKept}}</section>{{/source}}
    <section class="card" aria-labelledby="why"><h2 id="why">{{#confidence}}Confidence {{.}}{{/confidence}}{{^confidence}}Why it waits{{/confidence}}</h2>{{#reason}}<p>{{.}}</p>{{/reason}}{{#alike}}<p class="hint">{{.}}</p>{{/alike}}
    <ul class="reasons">{{#reasons}}<li{{#lowers}} class="lowers"{{/lowers}}>{{note}}{{#.factor}} <b>{{.}}</b>{{/.factor}}</li>{{/reasons}}</ul></section></div>
    <div class="stack">{{#twin}}<section class="card twin" aria-labelledby="twin"><h2 id="twin">Perhaps the same as</h2><p><a href="{{path}}">{{merchant}}</a> <span class="num">{{amount}}</span></p><p class="note">{{date}}{{#.account}} · {{.}}{{/.account}}{{#.reference}} · reference {{.}}{{/.reference}} · {{status}}</p><p class="note">Reject this one if it is the same event; accept it if you really paid twice.</p></section>{{/twin}}
    <section class="card" aria-labelledby="draft"><h2 id="draft">{{#hasDraft}}What would be booked{{/hasDraft}}{{^hasDraft}}Nothing could be read{{/hasDraft}}</h2>
    <form method="post" action="/app/review/{{id}}" data-review><input type="hidden" name="csrf" value="{{frame.formToken}}"><input type="hidden" name="revision" value="{{revision}}">
    {{#hasDraft}}<div class="fields">{{>fields}}</div>{{#categoryReason}}<p class="note">Why this category: {{.}}</p>{{/categoryReason}}
    <p class="actions sticky"><button name="action" value="accept" data-key="a">Accept</button> <button name="action" value="reject" class="plain danger" data-key="r" formnovalidate>Reject</button> <button name="action" value="save" class="plain">Save only</button></p>{{/hasDraft}}
    {{^hasDraft}}<p>Fill in what the mail says if money moved, or say that there is nothing to book.</p><div class="fields">{{>fields}}</div><p class="actions sticky"><button name="action" value="accept" data-key="a">Book it</button> <button name="action" value="reject" class="plain" data-key="r" formnovalidate>Nothing to book</button></p>{{/hasDraft}}</form></section></div></div>{{/view}}
    """#
