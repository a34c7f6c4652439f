/// The fields that the page of a transaction and the review share.
let fieldsTemplate = #"""
    <label>Amount<input name="amount" value="{{form.amount}}" inputmode="decimal" required class="num"></label>
    <label>Currency<input name="currency" value="{{form.currency}}" maxlength="3" required></label>
    <label>Date<input type="date" name="date" value="{{form.date}}" required></label>
    <label>Time<input type="time" name="time" value="{{form.time}}" step="1"></label>
    <label>Type<select name="type">{{#typeChoices}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{title}}</option>{{/typeChoices}}</select></label>
    <label>Account digits<input name="account" value="{{form.account}}" maxlength="20"></label>
    <label class="double">Merchant<input name="merchant" value="{{form.merchant}}" maxlength="200" autocomplete="off"></label>
    <label class="double">Category<select name="category"><option value="">{{#isNew}}By the keywords{{/isNew}}{{^isNew}}As it is{{/isNew}}</option>{{#categoryChoices}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{title}}</option>{{/categoryChoices}}</select></label>
    <label class="double">Reference<input name="reference" value="{{form.reference}}" maxlength="120"></label>
    <label class="full">Notes<textarea name="notes" rows="2" maxlength="2000">{{form.notes}}</textarea></label>
    """#

let transactionTemplate = #"""
    {{#view}}<p class="crumb"><a href="{{back}}">Back to the list</a></p>
    <div class="head"><h1>{{heading}}</h1><p class="big num">{{amountText}}</p></div>
    {{#waits}}<p class="hint">It waits for review. <a href="/app/review/{{id}}">Settle it there</a></p>{{/waits}}
    {{>problems}}<div class="columns two">
    <section class="card" aria-labelledby="fields"><h2 id="fields">{{#isNew}}What was it?{{/isNew}}{{^isNew}}Edit{{/isNew}}</h2>
    <form method="post" action="/app/transactions/{{#isNew}}new{{/isNew}}{{id}}"><input type="hidden" name="csrf" value="{{frame.formToken}}"><input type="hidden" name="revision" value="{{revision}}"><input type="hidden" name="back" value="{{back}}">
    <div class="fields">{{>fields}}</div><p class="actions"><button>{{#isNew}}Add{{/isNew}}{{^isNew}}Save{{/isNew}}</button> <a class="button plain" href="{{back}}">Cancel</a></p></form>
    {{^isNew}}<form method="post" action="/app/transactions/{{id}}/delete" class="danger"><input type="hidden" name="csrf" value="{{frame.formToken}}"><input type="hidden" name="back" value="{{back}}"><button class="plain">Delete</button><p class="note">It stays deleted when the mail is read again, and can be brought back by Undo.</p></form>{{/isNew}}</section>
    {{^isNew}}<div class="stack"><section class="card" aria-labelledby="facts"><h2 id="facts">About it</h2><ul class="facts">{{#facts}}<li>{{.}}</li>{{/facts}}</ul>{{#categoryReason}}<p class="note">Why this category: {{.}}</p>{{/categoryReason}}{{#samePath}}<p class="note actions"><a href="{{.}}">All of this merchant</a>{{#rulePath}} <a href="{{.}}">A rule for this merchant</a>{{/rulePath}}</p>{{/samePath}}{{#original}}<p class="note">May be the same as <a href="/app/transactions/{{.}}">transaction {{.}}</a></p>{{/original}}
    {{#confidence}}<h3>Confidence {{.}}</h3>{{/confidence}}{{^empty(reasons)}}<ul class="reasons">{{#reasons}}<li{{#lowers}} class="lowers"{{/lowers}}>{{note}}{{#.factor}} <b>{{.}}</b>{{/.factor}}</li>{{/reasons}}</ul>{{/empty(reasons)}}</section>
    {{>transfer-card}}{{#source}}<section class="card" aria-labelledby="mail"><h2 id="mail">The mail</h2><p class="note">{{subject}}<br>{{sender}} · {{arrived}}</p>{{#isKept}}{{>marked}}{{/isKept}}{{#fix}}<p class="hint">{{sentence}} <a href="{{path}}">Mend it</a></p>{{/fix}}{{^isKept}}<p class="empty">Its text is not kept any more.</p>{{/isKept}}</section>{{/source}}
    {{^empty(history)}}<section class="card" aria-labelledby="history"><h2 id="history">History</h2><ul class="rows">{{#history}}<li><p>{{text}} <span class="note">{{at}}</span></p>{{#.group}}<form method="post" action="/app/undo"><input type="hidden" name="csrf" value="{{frame.formToken}}"><input type="hidden" name="group" value="{{.}}"><input type="hidden" name="back" value="{{here}}"><button class="plain">Undo</button></form>{{/.group}}</li>{{/history}}</ul></section>{{/empty(history)}}</div>{{/isNew}}
    </div>{{/view}}
    """#
