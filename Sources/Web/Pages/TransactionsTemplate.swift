let transactionsTemplate = #"""
    {{#view}}<div class="head"><h1>Transactions</h1><a class="button" href="/app/transactions/new" data-key="n">Add</a></div>
    {{#isEmpty}}<section class="card empty"><h2>No transactions yet</h2><p>They appear here by themselves as soon as an alert mail of a bank arrives. Meanwhile you can see that your <a href="/app/mailboxes">mailbox is read</a>, or <a href="/app/transactions/new">add one by hand</a>.</p></section>{{/isEmpty}}
    {{^isEmpty}}<form class="filter card" method="get" action="/app/transactions" role="search" data-filter>
    <div class="line"><label class="grow"><span class="hidden">Search</span><input type="search" name="q" value="{{q}}" placeholder="Merchant, note, reference…" autocomplete="off" data-search></label><button>Search</button></div>
    <details{{#hasFilters}} open{{/hasFilters}}><summary>Filters</summary><div class="fields">
    <label>Category<select name="category">{{#categoryChoices}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{title}}</option>{{/categoryChoices}}</select></label>
    <label>Type<select name="type">{{#typeChoices}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{title}}</option>{{/typeChoices}}</select></label>
    <label>Status<select name="status">{{#statusChoices}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{title}}</option>{{/statusChoices}}</select></label>
    <label>Bank<select name="bank">{{#bankChoices}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{title}}</option>{{/bankChoices}}</select></label>
    <label>From<input type="date" name="since" value="{{since}}"></label><label>To<input type="date" name="until" value="{{until}}"></label>
    <label>Amount from<input name="from" value="{{from}}" inputmode="decimal" class="num"></label><label>Amount to<input name="to" value="{{to}}" inputmode="decimal" class="num"></label>
    <label>Currency<input name="currency" value="{{currency}}" maxlength="3" placeholder="INR"></label><label>Account digits<input name="account" value="{{account}}" inputmode="numeric"></label></div>
    <input type="hidden" name="sort" value="{{sort}}"><input type="hidden" name="dir" value="{{dir}}"></details></form>
    <div id="results" data-results>{{^empty(problems)}}<div class="problems" role="alert"><ul>{{#problems}}<li>{{.}}</li>{{/problems}}</ul></div>{{/empty(problems)}}
    <p class="sub" role="status">{{total}}{{#isFiltered}} · <a href="/app/transactions">Clear the filters</a>{{/isFiltered}}</p>
    {{#empty(rows)}}<section class="card empty"><h2>Nothing matches</h2><p>Try fewer words or <a href="/app/transactions">clear the filters</a>.</p></section>{{/empty(rows)}}
    {{^empty(rows)}}<form method="get" action="/app/transactions/bulk" data-bulk><input type="hidden" name="back" value="{{here}}">
    <div class="card list"><table class="ledger"><caption class="hidden">Transactions</caption><thead><tr><th scope="col" class="pick"><span class="hidden">Select</span></th>{{#columns}}<th scope="col" class="c-{{name}}{{#isNumber}} num{{/isNumber}}" aria-sort="{{order}}"><a href="{{path}}">{{title}}<span class="arrow {{order}}" aria-hidden="true"></span></a></th>{{/columns}}</tr></thead><tbody>
    {{#rows}}<tr data-row><td class="pick"><input type="checkbox" name="id" value="{{id}}" aria-label="Select {{merchant}}, {{amount}}" data-units="{{units}}" data-currency="{{currency}}" data-type="{{type}}"></td><td class="c-date">{{date}}{{#.time}}<small>{{.}}</small>{{/.time}}</td><td class="c-merchant"><a href="{{path}}">{{merchant}}</a>{{#waits}} <b class="flag">waits</b>{{/waits}}{{#isRejected}} <b class="flag off">rejected</b>{{/isRejected}}<small><span class="narrow-only">{{category}} · </span>{{#.remark}}{{.}}{{/.remark}}{{#.account}}<span class="wide-only"> · {{.}}</span>{{/.account}}</small></td><td class="c-category"><svg class="dot" viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill="{{color}}"/></svg>{{category}}{{#.subcategory}}<small>{{.}}</small>{{/.subcategory}}</td><td class="num c-amount {{type}}">{{sign}}{{amount}}{{^isExpense}}<small>{{type}}</small>{{/isExpense}}</td></tr>
    {{/rows}}</tbody></table></div>
    <div class="bulk card"><p class="script-only" data-selected></p><label class="grow">Category for those selected<select name="category" required><option value="">Choose…</option>{{#bulkChoices}}<option value="{{value}}">{{title}}</option>{{/bulkChoices}}</select></label><button>Preview</button></div></form>
    <p class="pages">{{#newest}}<a class="button plain" href="{{.}}">Back to the first</a>{{/newest}}{{#older}}<a class="button plain" href="{{.}}" data-older>Next page</a>{{/older}}</p>{{/empty(rows)}}</div>{{/isEmpty}}{{/view}}
    """#
