let dashboardTemplate = #"""
    {{#view}}<div class="head"><h1>Overview</h1>
    <nav class="switch" aria-label="Period">{{#periods}}<a href="{{path}}"{{#isCurrent}} aria-current="true"{{/isCurrent}}>{{title}}</a>{{/periods}}</nav></div>
    {{^empty(troubles)}}<section class="card trouble" aria-labelledby="trouble"><h2 id="trouble">Needs attention</h2><ul>{{#troubles}}<li>{{.}}</li>{{/troubles}}</ul>{{#troublesMore}}<p>{{.}}</p>{{/troublesMore}}<p><a href="/app/mailboxes">Mailboxes</a> · <a href="/app/banks">Banks</a></p></section>{{/empty(troubles)}}
    {{#isEmpty}}<section class="card empty"><h2>No transactions yet</h2><p>They appear here by themselves as soon as an alert mail of a bank arrives.</p>
    <ol><li>See that your mailbox is read: <a href="/app/mailboxes">Mailboxes</a>.</li><li>Paste an alert to see what is read from it: <a href="/app/banks/test">Test bench</a>.</li><li>Or <a href="/app/transactions/new">add a transaction</a> by hand.</li></ol></section>{{/isEmpty}}
    {{^isEmpty}}<p class="sub">{{span}}{{^empty(currencies)}}<span class="switch small" role="group" aria-label="Currency">{{#currencies}}<a href="{{path}}"{{#isCurrent}} aria-current="true"{{/isCurrent}}>{{title}}</a>{{/currencies}}</span>{{/empty(currencies)}}</p>
    <dl class="figures">{{#figures}}<div class="card"><dt>{{title}}</dt><dd class="value{{size}}">{{value}}</dd><dd class="note">{{#change}}<span class="trend {{trend}}">{{.}}<span class="hidden"> than in the period before</span></span>{{/change}}<span class="about">{{note}}</span></dd></div>{{/figures}}</dl>
    <div class="columns">
    <section class="card wide" aria-labelledby="over-time"><h2 id="over-time">Spent over time</h2>
    {{#chart}}<figure class="chart"><div class="scale" aria-hidden="true">{{#scale}}<span>{{.}}</span>{{/scale}}</div>
    <svg viewBox="0 0 1000 300" preserveAspectRatio="none" role="img" aria-label="{{summary}}"><path class="grid" d="M0 0H1000M0 150H1000M0 300H1000"/><path class="area" d="{{area}}"/><path class="line" d="{{line}}"/>{{#marks}}<rect class="hit" x="{{x}}" y="0" width="{{width}}" height="300"><title>{{text}}</title></rect>{{/marks}}</svg>
    <div class="days" aria-hidden="true">{{#days}}<span>{{.}}</span>{{/days}}</div></figure>
    <details><summary>The values as a table</summary><div class="scroll" tabindex="0" role="region" aria-label="Values"><table><thead><tr><th scope="col">{{step}}</th><th scope="col" class="num">Spent</th><th scope="col" class="num">Received</th></tr></thead><tbody>{{#rows}}<tr><th scope="row">{{days}}</th><td class="num">{{spent}}</td><td class="num">{{received}}</td></tr>{{/rows}}</tbody></table></div></details>{{/chart}}
    {{^chart}}<p class="empty">Nothing was spent in this period. Choose a longer one above.</p>{{/chart}}</section>
    <section class="card" aria-labelledby="by-category"><h2 id="by-category">By category</h2>
    {{^empty(bars)}}<ul class="bars">{{#bars}}<li><a href="{{path}}"><span class="name">{{title}}</span><span class="num">{{amount}}</span></a><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="8"/><rect width="{{width}}" height="8" fill="{{color}}"/></svg><p class="note">{{share}} · {{count}}{{#.parts}} · {{.}}{{/.parts}}</p></li>{{/bars}}</ul>{{/empty(bars)}}
    {{#uncategorized}}<p class="hint">{{.}} without a category. <a href="{{uncategorizedPath}}">Sort them</a></p>{{/uncategorized}}
    {{#empty(bars)}}<p class="empty">Categories appear with the first payment of the period.</p>{{/empty(bars)}}</section>
    <div class="stack"><section class="card" aria-labelledby="waiting"><h2 id="waiting">Waits for you</h2>
    {{^empty(waiting)}}<ul class="rows">{{#waiting}}<li><a href="{{path}}"><span class="name">{{title}}</span>{{#.amount}}<span class="num">{{.}}</span>{{/.amount}}</a><p class="note">{{date}}</p></li>{{/waiting}}</ul>{{#waitingMore}}<p><a href="/app/review">{{.}}</a></p>{{/waitingMore}}{{/empty(waiting)}}{{#questions}}<p><a href="/app/transfers">{{.}}</a> between your accounts</p>{{/questions}}
    {{#empty(waiting)}}{{^questions}}<p class="empty">Nothing. Everything was read with confidence.</p>{{/questions}}{{/empty(waiting)}}</section>
    <section class="card" aria-labelledby="top"><h2 id="top">Top merchants</h2>
    {{^empty(merchants)}}<ol class="rows">{{#merchants}}<li><a href="{{path}}"><span class="name">{{name}}</span><span class="num">{{amount}}</span></a><p class="note">{{count}} · last {{last}}</p></li>{{/merchants}}</ol>{{/empty(merchants)}}
    {{#empty(merchants)}}<p class="empty">No merchants in this period.</p>{{/empty(merchants)}}</section></div>
    </div>{{/isEmpty}}{{/view}}
    """#
