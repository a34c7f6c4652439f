/// In the order of the cascade. Colours stand in ``styleColors`` only; text on its ground has a contrast of 4.5 or more in both schemes (WCAG 2.2, 1.4.3).
let styleSheet = styleColors + styleBase + styleFrame + styleParts + styleLists + styleForms + styleNarrow

fileprivate let styleColors = """
    :root{color-scheme:light dark;--ground:#f5f4ef;--card:#fff;--text:#1b2220;--soft:#56605d;--line:#dedbd1;--accent:#0b6a5c;--on-accent:#fff;--tint:#e2f0ec;--warm:#9a3412;--warm-tint:#fdf0e6;--good:#1a6b3c;--shadow:0 1px 2px #0000000d,0 4px 16px #0000000a;
    --amount:#c9efd2;--date:#cfe2fb;--time:#d3f1f4;--merchant:#fbe9a9;--account:#e3d8fb;--reference:#fddcc2;--balance:#e3e3df;--vpa:#fad4e4;--mark:#15201c}
    @media(prefers-color-scheme:dark){:root{--ground:#101413;--card:#191f1d;--text:#e6ebe8;--soft:#a2afa9;--line:#2f3836;--accent:#63d2bb;--on-accent:#062b25;--tint:#19352f;--warm:#fdba8c;--warm-tint:#35231a;--good:#7fd6a0;--shadow:none;
    --amount:#1d4b2c;--date:#1f3c63;--time:#174a50;--merchant:#54450f;--account:#40316a;--reference:#5c3417;--balance:#3d4340;--vpa:#5a2540;--mark:#f2f6f4}}

    """

fileprivate let styleBase = """
    *{box-sizing:border-box}html{-webkit-text-size-adjust:100%}
    body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif}
    h1{font-size:1.6rem;line-height:1.2;letter-spacing:-.015em;margin:0 0 1rem;overflow-wrap:anywhere}h2{font-size:1.05rem;line-height:1.3;margin:0 0 .75rem}h3{font-size:.92rem;margin:1rem 0 .35rem}
    p{margin:0 0 .6rem}ul,ol{margin:0 0 .6rem;padding-left:1.2rem}a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:1px}
    :focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}main:focus{outline:none}
    .num,.value,time{font-variant-numeric:tabular-nums lining-nums}.num{text-align:right;white-space:nowrap}
    .hidden{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
    .skip{position:absolute;left:.5rem;top:-4rem;background:var(--accent);color:var(--on-accent);padding:.6rem 1rem;border-radius:8px;z-index:9}.skip:focus{top:.5rem}
    small,.note{font-size:.84rem;color:var(--soft)}.note:last-child,p:last-child,.card>:last-child{margin-bottom:0}.sub{color:var(--soft);margin-bottom:1rem}h1+.sub{margin-top:-.75rem}.narrow-only{display:none}.empty{color:var(--soft)}.bad{color:var(--warm)}
    code,kbd{font:.88em ui-monospace,SFMono-Regular,"DejaVu Sans Mono",monospace;background:var(--tint);border-radius:4px;padding:.1em .35em}

    """

fileprivate let styleFrame = """
    .top{display:flex;align-items:center;gap:1.25rem;background:var(--card);border-bottom:1px solid var(--line);padding:.5rem 1.25rem;position:sticky;top:0;z-index:5}
    .brand{display:flex;align-items:center;gap:.5rem;font-weight:700;color:var(--text);text-decoration:none;letter-spacing:-.01em}.brand svg{width:1.9rem;height:1.9rem;padding:.3rem;background:var(--accent);border-radius:8px;fill:none;stroke:var(--on-accent);stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
    .top nav{overflow-x:auto;scrollbar-width:none;flex:1;min-width:0}.top ul{display:flex;gap:.15rem;list-style:none;margin:0;padding:3px}
    .top li a{display:flex;align-items:center;gap:.45rem;padding:.45rem .7rem;border-radius:8px;color:var(--soft);text-decoration:none;white-space:nowrap;font-size:.93rem}.top li a:hover{background:var(--tint);color:var(--text)}
    .top li a[aria-current]{background:var(--tint);color:var(--accent);font-weight:600}.top li svg{width:1.1rem;height:1.1rem;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round;flex:none}
    .badge{background:var(--accent);color:var(--on-accent);font-size:.74rem;line-height:1;padding:.22rem .45rem;border-radius:99px;font-variant-numeric:tabular-nums}
    main{max-width:1180px;margin:0 auto;padding:1.5rem 1.25rem 3rem}
    footer{max-width:1180px;margin:0 auto;padding:0 1.25rem 2rem;color:var(--soft);font-size:.84rem;display:flex;gap:1rem;justify-content:space-between;flex-wrap:wrap;align-items:center}footer p{margin:0}
    .notice{display:flex;gap:1rem;align-items:center;justify-content:space-between;background:var(--tint);border:1px solid var(--accent);border-radius:10px;padding:.5rem 1rem;margin-bottom:1rem}.notice p{margin:0}.offer{flex-wrap:wrap;justify-content:flex-start}.offer p:first-child{flex:1 1 18rem}
    .login main{max-width:22rem;padding-top:14vh}.login form{display:grid;gap:.6rem}.login .notice{color:var(--warm);border-color:var(--warm);background:var(--warm-tint)}

    """

fileprivate let styleParts = """
    .card{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:1.1rem 1.25rem;box-shadow:var(--shadow);margin-bottom:1rem;min-width:0}
    .card.empty{text-align:center;padding:2.5rem 1.5rem}.card.empty ol{text-align:left;display:inline-block}
    .trouble{border-color:var(--warm);background:var(--warm-tint)}.trouble h2{color:var(--warm)}.trouble li{overflow-wrap:anywhere}.hint{background:var(--tint);border-radius:8px;padding:.5rem .8rem}
    .head{display:flex;align-items:center;justify-content:space-between;gap:.5rem 1rem;flex-wrap:wrap;margin-bottom:1rem}.head h1,.head .actions{margin:0}.head+.sub{margin-top:-.6rem}.head .big{font-size:1.6rem;font-weight:650;margin:0;line-height:1.2}.crumb{font-size:.88rem;color:var(--soft);margin-bottom:.5rem}
    .switch{display:inline-flex;background:var(--card);border:1px solid var(--line);border-radius:10px;padding:3px;gap:2px}.switch a{padding:.3rem .8rem;border-radius:7px;color:var(--soft);text-decoration:none;font-size:.9rem}.switch a:hover{color:var(--text)}.switch a[aria-current]{background:var(--accent);color:var(--on-accent);font-weight:600}
    .switch.small{vertical-align:middle}.sub .switch{margin-left:.75rem}.found{display:flex;justify-content:space-between;align-items:end;gap:.5rem 1rem;flex-wrap:wrap;margin-bottom:1rem}.found .sub{margin:0}.found strong{color:var(--text);font-weight:600;font-variant-numeric:tabular-nums}.switch.small a{padding:.1rem .6rem;font-size:.8rem}
    .figures{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:1rem;margin:0 0 1rem}.figures .card{margin:0}.figures dt{color:var(--soft);font-size:.86rem}.figures dd{margin:0}.figures>div{container-type:inline-size}.figures .value{font-size:1.5rem;font-weight:650;letter-spacing:-.02em;line-height:1.35;overflow-wrap:anywhere}.figures .long{font-size:min(1.5rem,12.4cqi)}.figures .longest{font-size:min(1.5rem,10.2cqi)}
    .trend{white-space:nowrap}.trend+.about::before{content:" · "}.trend.more::before{content:"▲ "}.trend.less::before{content:"▼ "}
    .columns{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:1rem;align-items:start}.columns>.wide{grid-column:1/-1}.columns.two{grid-template-columns:repeat(2,minmax(0,1fr))}.columns>*{margin-bottom:0}.stack>:last-child{margin-bottom:0}.stack{min-width:0}
    .grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(18rem,1fr));gap:1rem;margin-bottom:1rem}.grid .card{margin:0}
    .chart{display:grid;grid-template-columns:auto 1fr;gap:.35rem .75rem;margin:0 0 .5rem}.chart>svg{width:100%;height:200px;display:block;overflow:visible}
    .scale{display:flex;flex-direction:column;justify-content:space-between;text-align:right;font-size:.78rem;line-height:1;color:var(--soft);margin:-.4em 0;font-variant-numeric:tabular-nums}.days{grid-column:2;display:flex;justify-content:space-between;font-size:.78rem;color:var(--soft)}
    .grid-line,.chart .grid{stroke:var(--line);fill:none;vector-effect:non-scaling-stroke}.chart .line{fill:none;stroke:var(--accent);stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round;vector-effect:non-scaling-stroke}.chart .area{fill:var(--accent);opacity:.13}.chart .hit{fill:transparent}.chart .hit:hover{fill:var(--accent);opacity:.12}
    .bars,.rows,.plainlist,.tags,.facts,.reasons{list-style:none;padding:0}.bars li{margin-bottom:.85rem}.bars a,.rows>li>a{display:flex;justify-content:space-between;gap:1rem;color:inherit;text-decoration:none}.bars a:hover .name,.rows>li>a:hover .name{text-decoration:underline}.name{overflow-wrap:anywhere;font-weight:550}
    .bar{display:block;width:100%;height:8px;border-radius:4px;margin:.25rem 0 .2rem}.track{fill:var(--line)}.fill{fill:var(--accent)}
    .rows li{padding:.55rem 0;border-top:1px solid var(--line)}.rows li:first-child{border-top:0;padding-top:0}.rows li:last-child{padding-bottom:0}.rows p{margin:0}.rows li:has(>form){display:flex;justify-content:space-between;gap:1rem;align-items:center}.rows .question{gap:.6rem}.question>div{flex:1;min-width:0}.question strong{margin-left:.4rem}.rows+.actions,.rows+p{margin-top:.9rem}ol.rows{counter-reset:place}
    details>summary{cursor:pointer;color:var(--accent);font-size:.9rem}.scroll{overflow-x:auto;max-height:20rem;overflow-y:auto}
    .tags{display:flex;flex-wrap:wrap;gap:.4rem;margin:0}.tags li,.chip{background:var(--ground);border:1px solid var(--line);border-radius:99px;padding:.15rem .7rem;font-size:.86rem;overflow-wrap:anywhere}.chip{padding:0 .5rem;font-size:.78rem;margin:0 .2rem .2rem 0;display:inline-block}.tags a{text-decoration:none}
    .facts li{padding:.15rem 0}.reasons li{padding:.3rem 0 .3rem 1.3rem;position:relative}.reasons li::before{content:"✓";position:absolute;left:0;color:var(--good)}.reasons .lowers::before{content:"!";color:var(--warm);font-weight:800;left:.25rem}.reasons b{color:var(--warm);font-variant-numeric:tabular-nums}
    .state{font-weight:600;display:flex;align-items:center;gap:.5rem}.state::before{content:"";width:.65rem;height:.65rem;border-radius:50%;background:var(--soft)}.state.good::before{background:var(--good)}.state.bad{color:var(--warm)}.state.bad::before{background:var(--warm)}
    .mail{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--ground);border:1px solid var(--line);border-radius:10px;padding:.9rem 1rem;font-size:.93rem;line-height:1.75;max-height:28rem;overflow-y:auto}
    mark,.swatch{background:var(--balance);color:var(--mark);border-radius:4px;padding:.08em .25em;box-decoration-break:clone;-webkit-box-decoration-break:clone}mark i{font-style:normal;font-size:.68rem;opacity:.85;margin-left:.35em;letter-spacing:.02em}
    .f-amount,.f-currency{background:var(--amount)}.f-date{background:var(--date)}.f-time{background:var(--time)}.f-merchant{background:var(--merchant)}.f-account{background:var(--account)}.f-reference,.f-channel,.f-type{background:var(--reference)}.f-balance,.f-limit{background:var(--balance)}.f-vpa{background:var(--vpa)}
    .twin{border-color:var(--warm)}.words{font-size:.86rem;color:var(--soft);overflow-wrap:anywhere}.stop{color:var(--warm)}

    """

fileprivate let styleLists = """
    table{border-collapse:collapse;width:100%;font-size:.93rem}caption{text-align:left;color:var(--soft);padding:.75rem 1rem;font-size:.9rem}th{text-align:left;font-weight:550}thead th{color:var(--soft);font-size:.82rem;font-weight:600;white-space:nowrap}thead th.num,td.num{text-align:right}th,td{padding:.6rem .75rem;border-bottom:1px solid var(--line);vertical-align:top}tbody tr:last-child>*{border-bottom:0}
    .list{padding:0;overflow-x:auto}.list>h2{padding:1.1rem 1.25rem 0}.list>.note{padding:.75rem 1rem}td small,th small{display:block;white-space:normal;font-weight:400;overflow-wrap:break-word}
    thead a{color:inherit;text-decoration:none}thead a:hover{text-decoration:underline}.arrow.ascending::after{content:" ↑"}.arrow.descending::after{content:" ↓"}
    .ledger td{overflow-wrap:anywhere}.ledger .pick{width:2.4rem;padding-right:0}.ledger .c-date{white-space:nowrap;width:8rem}.ledger .c-amount{white-space:nowrap;font-weight:600}.ledger td.income{color:var(--good)}.ledger td.transfer{color:var(--soft);font-weight:400}.ledger .c-category{width:32%}.c-merchant a{font-weight:550;color:inherit;text-decoration:none}.c-merchant a:hover{text-decoration:underline}.ledger tbody tr:hover,.current{background:var(--tint)}
    tr.current>:first-child,li.current{box-shadow:inset 3px 0 var(--accent)}li.current{padding-left:.6rem}
    .dot{width:.7rem;height:.7rem;margin-right:.5rem}.flag{background:var(--warm-tint);color:var(--warm);font-size:.74rem;font-weight:600;border-radius:5px;padding:.05rem .4rem}.flag.off{background:var(--ground);color:var(--soft)}
    .bulk{position:sticky;bottom:.75rem;display:flex;gap:1rem;align-items:end;padding:.75rem 1rem;z-index:3}.bulk p{margin:0 0 .5rem;white-space:nowrap}.scripted .bulk:not(.on){display:none}.pages{display:flex;gap:.6rem;justify-content:flex-end}
    .rate{min-width:7rem}.rate .num{display:block;text-align:left}.same{color:var(--soft)}.right{text-align:right}
    .plainlist.two li{grid-template-columns:1fr 1fr}details>.plainlist{margin-top:.6rem}.plainlist li{display:grid;grid-template-columns:1fr 1fr auto;gap:.75rem;padding:.3rem 0;border-top:1px solid var(--line);font-size:.9rem;overflow-wrap:anywhere}
    .menu summary{white-space:nowrap}.menu{position:relative;display:inline-block;text-align:left}.pop{position:absolute;right:0;top:1.8rem;z-index:4;width:16rem;background:var(--card);border:1px solid var(--line);border-radius:10px;box-shadow:0 8px 30px #0003;padding:1rem}.pop form+form{margin-top:.8rem;border-top:1px solid var(--line);padding-top:.8rem}.list:has(.menu){overflow:visible}
    .keys th{width:14rem;line-height:1.9}

    """

fileprivate let styleForms = """
    input,select,textarea{font:inherit;color:var(--text);background:var(--card);border:1px solid #8a938f;border-radius:8px;padding:.45rem .6rem;width:100%;min-width:0}input[type=checkbox],input[type=radio]{width:1.1rem;height:1.1rem;flex:none;accent-color:var(--accent);padding:0}input[type=color]{padding:.15rem;height:2.4rem}textarea{resize:vertical;font-size:.93rem}::placeholder{color:var(--soft);opacity:1}
    label{font-size:.84rem;color:var(--soft);display:block}label>input,label>select,label>textarea{margin-top:.2rem;font-size:1rem}label.check{display:flex;gap:.6rem;align-items:center;font-size:1rem;color:var(--text);margin:.75rem 0}label.check input{margin:0}label.check small{display:block}.fields+.note,.line+.note,.actions+.note{margin-top:.5rem}.fields+details,.fields+.hint{margin-top:.7rem}
    .fields{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:.8rem}.fields .double{grid-column:span 2}.fields .full{grid-column:1/-1}.columns.two .fields{grid-template-columns:repeat(2,minmax(0,1fr))}
    button,.button{font:inherit;font-weight:600;font-size:.95rem;display:inline-block;background:var(--accent);color:var(--on-accent);border:1px solid var(--accent);border-radius:8px;padding:.45rem 1rem;cursor:pointer;text-decoration:none;line-height:1.5;white-space:nowrap}button:hover,.button:hover{filter:brightness(1.08)}
    button.plain,.button.plain{background:transparent;color:var(--accent);border-color:var(--line)}.plain:hover{background:var(--tint)}button.danger,form.danger button{color:var(--warm)}form.danger{margin-top:1.2rem;border-top:1px solid var(--line);padding-top:1rem;display:flex;gap:1rem;align-items:center}form.danger .note{margin:0}
    .actions{display:flex;gap:.6rem;flex-wrap:wrap;margin:1rem 0 0}.line{display:flex;gap:.6rem;align-items:end}.grow{flex:1;min-width:0}.filter details{margin-top:.6rem}.filter .fields{margin-top:.6rem}.problems{border:1px solid var(--warm);background:var(--warm-tint);border-radius:10px;padding:.75rem 1rem;margin-bottom:1rem}.problems ul,.problems p{margin-bottom:0}
    .script-only{display:none}.scripted .script-only{display:block}.scripted label.script-only{display:flex}.busy{opacity:.55}
    dialog{border:1px solid var(--line);border-radius:14px;background:var(--card);color:var(--text);max-width:34rem;padding:1.5rem;box-shadow:0 20px 60px #0005}dialog::backdrop{background:#0008}

    """

fileprivate let styleNarrow = """
    @media(max-width:960px){.figures{grid-template-columns:repeat(2,minmax(0,1fr))}.columns,.columns.two{grid-template-columns:minmax(0,1fr)}.top{flex-wrap:wrap;gap:.25rem;padding:.5rem .75rem}.top nav{flex-basis:100%}.top li svg{display:none}.fields{grid-template-columns:repeat(2,minmax(0,1fr))}}
    @media(max-width:600px){main{padding:1rem .75rem 2rem}.card{padding:.9rem 1rem;border-radius:12px}.card.list{padding:0}.figures{gap:.6rem}.figures .card{padding:.7rem .85rem}.figures .value{font-size:1.12rem}.figures .long{font-size:min(1.12rem,12.4cqi)}.figures .longest{font-size:min(1.12rem,10.2cqi)}.wide-only{display:none}.narrow-only{display:inline}
    .chart{gap:.35rem .5rem}.chart>svg{height:160px}.top{position:static}.head .big{font-size:1.3rem}.head .switch,.found .switch{width:100%}.sub .switch{margin:.4rem 0 0;display:flex;width:max-content}.trend{display:block}.trend+.about::before{content:none}.question{flex-wrap:wrap}.rows .question{justify-content:flex-start}.question>div{flex-basis:100%}.list thead th{white-space:normal}.keys th{width:auto}.head .switch a,.found .switch a{flex:1;text-align:center;padding:.4rem}.found .switch a{display:flex;align-items:center;justify-content:center;padding:.3rem .2rem;line-height:1.25}footer{padding:0 .75rem 2rem}
    .ledger thead .c-category,.ledger td.c-category,.ledger thead .c-date{display:none}.ledger tr,.sheet tr{display:grid;align-items:start;border-bottom:1px solid var(--line)}.ledger tr{grid-template-columns:2rem 1fr auto}.sheet tr{grid-template-columns:1fr auto}.sheet,.sheet tbody,.sheet caption{display:block}.sheet thead{display:none}.ledger tbody tr:last-child,.sheet tbody tr:last-child{border:0}.ledger th,.ledger td,.sheet td{border:0;padding:.55rem .5rem}.sheet td{padding-left:.8rem;padding-right:.8rem}.ledger td.pick{grid-row:1/3}.ledger td.c-merchant{grid-column:2;grid-row:1/3}.ledger td.c-amount{grid-column:3;grid-row:1;padding-bottom:0}.ledger td.c-date{grid-column:3;grid-row:2;width:auto;padding-top:0;font-size:.8rem;color:var(--soft);text-align:right}.ledger td.c-date small{display:none}.sheet td.c-merchant{order:1;padding-bottom:0}.sheet td.c-amount{order:2;padding-bottom:0}.sheet td.c-category{order:3;padding-top:0;font-size:.84rem;color:var(--soft)}.sheet td.c-date{order:4;padding-top:0;font-size:.8rem;color:var(--soft);text-align:right}.sheet td small{font-size:inherit}
    .bulk{flex-wrap:wrap;gap:.5rem}.bulk p{flex-basis:100%;margin:0}.actions.sticky{position:sticky;bottom:0;background:var(--card);padding:.6rem 0;flex-wrap:nowrap}.sticky button{flex:1;padding:.45rem .4rem}.pop{width:14rem}.chip{border:0;background:none;padding:0;margin-right:.6rem}th,td{padding:.5rem .6rem}.plainlist li,.plainlist.two li{grid-template-columns:1fr auto}.plainlist .note{grid-column:1/-1;grid-row:2}}
    @media(prefers-reduced-motion:no-preference){button,.button,.top li a{transition:background-color .12s}}
    @media print{.top,.filter,.bulk,.pages,footer,.actions{display:none}body{background:#fff}.card{box-shadow:none;break-inside:avoid}}

    """
