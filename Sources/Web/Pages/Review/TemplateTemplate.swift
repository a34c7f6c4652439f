let templateTemplate = #"""
    {{#view}}<p class="crumb"><a href="{{back}}">Back</a></p><h1>{{#template}}Mend the template{{/template}}{{^template}}A template for this kind of mail{{/template}}</h1>
    <p class="sub">{{#template}}{{.}} read this mail otherwise than you.{{/template}}{{^template}}No template reads it.{{/template}} A template is drafted from it, proven on everything that is known, and shown. Nothing is changed by that.</p>
    {{^empty(problems)}}<div class="problems" role="alert"><p><strong>No template could be proven.</strong></p><ul>{{#problems}}<li>{{.}}</li>{{/problems}}</ul></div>{{/empty(problems)}}
    {{#isProven}}<section class="card" aria-labelledby="result"><h2 id="result">{{heading}}</h2>
    <ul class="reasons"><li>It reads this mail {{#reads}}as you say{{/reads}}{{#ignores}}as no transaction{{/ignores}}.</li><li>Every sample of the bank that held holds still.</li><li>Lint finds nothing, and hostile text cannot stall it.</li>{{#notes}}<li>{{.}}</li>{{/notes}}</ul>
    <pre class="code" tabindex="0" role="region" aria-label="The template">{{#lines}}<span class="l-{{kind}}">{{sign}}{{text}}</span>
    {{/lines}}</pre>
    <p class="actions"><a class="button" href="{{download}}" download="{{fileName}}">Download {{fileName}}</a></p>
    <h3>Put it in force</h3><p class="note">The program that shows this page may not write profiles. On the machine that runs it:</p>
    <pre class="code" tabindex="0" role="region" aria-label="Commands">sudo install -D -m 644 {{fileName}} {{file}}
    sudo systemctl reload spendwise-ingest spendwise-web
    parserctl rescan --bank {{bank}}</pre></section>{{/isProven}}
    <div class="columns two"><section class="card" aria-labelledby="says"><h2 id="says">What the mail says</h2>
    <form method="post" action="/app/review/{{id}}/template"><input type="hidden" name="csrf" value="{{frame.formToken}}"><input type="hidden" name="back" value="{{back}}">
    <label class="check"><input type="radio" name="want" value="read"{{#reads}} checked{{/reads}}> It tells of a transaction: these values stand in it</label>
    <div class="fields">{{#values}}<label class="double">{{title}}<input name="{{name}}" value="{{value}}" maxlength="200" autocomplete="off"></label>{{/values}}</div><p class="note">Leave empty what the mail does not print.</p>
    <label class="check"><input type="radio" name="want" value="ignore"{{#ignores}} checked{{/ignores}}> It is no transaction: ignore this kind of mail from now on</label>
    <div class="fields"><label class="full">Because it is<select name="reason">{{#reasonChoices}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{title}}</option>{{/reasonChoices}}</select></label>
    <label class="full">Name of a new template<input name="name" value="{{name}}" maxlength="60" autocomplete="off"></label></div>
    <p class="actions"><button>Draft and prove it</button> <a class="button plain" href="{{back}}">Cancel</a></p><p class="note">This may take some seconds.</p></form></section>
    {{#source}}<section class="card" aria-labelledby="mail"><h2 id="mail">The mail</h2><p class="note"><strong>{{subject}}</strong><br>{{sender}}</p>{{>marked}}</section>{{/source}}</div>{{/view}}
    """#
