let mappingTemplate = #"""
    {{#view}}<p class="crumb"><a href="{{back}}">Back</a></p><h1>{{#isPreview}}What the rule would change{{/isPreview}}{{^isPreview}}A rule for a category{{/isPreview}}</h1>
    {{#isPreview}}<p class="sub">{{sentence}}: <strong>{{target}}</strong>.</p>
    {{#changesNothing}}<section class="card empty"><p>No past transaction would change; future ones will follow it.{{#same}} {{.}}{{/same}}</p></section>{{/changesNothing}}
    <form method="post" action="/app/mappings" class="card"><input type="hidden" name="csrf" value="{{frame.formToken}}">{{#hidden}}<input type="hidden" name="{{value}}" value="{{title}}">{{/hidden}}<input type="hidden" name="back" value="{{back}}">
    {{#staying}}<p class="note">{{.}}</p>{{/staying}}{{^empty(stayingRows)}}<details><summary>Which stay</summary><ul class="plainlist">{{#stayingRows}}<li><a href="{{path}}">{{merchant}}</a><span class="note">{{date}} · {{old}}{{#.why}} · {{.}}{{/.why}}</span><span class="num">{{amount}}</span></li>{{/stayingRows}}</ul></details>{{/empty(stayingRows)}}
    {{^changesNothing}}<label class="check"><input type="checkbox" name="past" value="1" checked> Also change the {{count}}</label>{{/changesNothing}}
    <p class="actions"><button>Add the rule</button> <a class="button plain" href="{{back}}">Cancel</a></p></form>
    {{^changesNothing}}<div class="card list"><table class="sheet"><caption>{{count}} would change.{{#same}} {{.}}{{/same}}</caption><thead><tr><th scope="col">Date</th><th scope="col">Merchant</th><th scope="col">Category now</th><th scope="col" class="num">Amount</th></tr></thead><tbody>{{#rows}}<tr><td class="c-date">{{date}}</td><td class="c-merchant"><a href="{{path}}">{{merchant}}</a></td><td class="c-category">{{old}}{{#.why}}<small>{{.}}</small>{{/.why}}</td><td class="num c-amount">{{amount}}</td></tr>{{/rows}}</tbody></table>{{#more}}<p class="note">{{.}}</p>{{/more}}</div>{{/changesNothing}}{{/isPreview}}
    {{>problems}}<section class="card" aria-labelledby="rule"><h2 id="rule">{{#isPreview}}Change the rule{{/isPreview}}{{^isPreview}}The rule{{/isPreview}}</h2>{{>mapping-form}}</section>{{/view}}
    """#

/// What a rule looks for; the page of categories has the same.
let mappingFormTemplate = #"""
    <form method="get" action="/app/mappings/new"><input type="hidden" name="back" value="{{back}}"><div class="fields"><label class="double">Look for<input name="keyword" value="{{form.keyword}}" required maxlength="120" placeholder="such as corner cafe" autocomplete="off"></label><label class="double">Category<select name="category" required><option value="">Choose…</option>{{#categoryChoices}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{title}}</option>{{/categoryChoices}}</select></label></div>
    <details{{#hasConditions}} open{{/hasConditions}}><summary>Conditions: UPI address, code, amount, account</summary><div class="fields"><label class="full">It is<select name="kind">{{#kindChoices}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{title}}</option>{{/kindChoices}}</select></label>
    <label>Amount from<input name="minimum" value="{{form.minimum}}" inputmode="decimal" class="num"></label><label>Amount to<input name="maximum" value="{{form.maximum}}" inputmode="decimal" class="num"></label>
    <label>Currency<input name="currency" value="{{form.currency}}" maxlength="3" placeholder="INR"></label><label>Account digits<input name="account" value="{{form.account}}" inputmode="numeric" maxlength="18" placeholder="such as 4321"></label>
    <label>Paid by<select name="channel">{{#channelChoices}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{title}}</option>{{/channelChoices}}</select></label><label>Type<select name="type">{{#typeChoices}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{title}}</option>{{/typeChoices}}</select></label></div></details>
    <p class="actions"><button>Preview</button></p></form>
    """#
