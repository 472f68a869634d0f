function B(e){if(typeof e!="string")return;if(e==="transparent")return[0,0,0,0];let i=/^rgba?\((\d+),? (\d+),? (\d+)(?:(?:,| \/) ([\d.]+))?\)$/.exec(e);if(i){let[o,c,p,d=1]=i.slice(1).map(u=>u===void 0?void 0:Number(u));return[o,c,p,d]}if(!/^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(e))return;let n=e.length<6?[...e.slice(1)].map(o=>o+o):e.slice(1).match(/../g)??[],[t,s,a,l=255]=n.map(o=>parseInt(o,16));return[t,s,a,l/255]}var E=([e,i,n,t])=>`rgb(${e} ${i} ${n} / ${t})`;function f(e){let i=B(e);return i&&E(i)}function r(e,i={},...n){let t=document.createElement(e);for(let[s,a]of Object.entries(i))a==null||a===!1||(s.startsWith("on")?t.addEventListener(s.slice(2),a):s==="value"||s==="checked"?Reflect.set(t,s,a):t.setAttribute(s,a===!0?"":String(a)));return $(t,n),t}function $(e,i){for(let n of i)Array.isArray(n)?$(e,n):n instanceof Node?e.appendChild(n):n!=null&&n!==!1&&e.appendChild(document.createTextNode(String(n)))}function x(e,i={},...n){let t=document.createElementNS("http://www.w3.org/2000/svg",e);for(let[s,a]of Object.entries(i))a!==void 0&&t.setAttribute(s,String(a));return $(t,n),t}var Q=Math.random().toString(36).slice(2,6);var w=e=>typeof e=="string"&&/^data:image\//i.test(e)?e:I(e);function I(e){if(typeof e=="string")try{let i=new URL(e,document.baseURI);return i.protocol==="https:"||i.protocol==="http:"?i.href:void 0}catch{return}}var ee=new Intl.Segmenter(void 0,{granularity:"grapheme"});function k(e){if(typeof e!="string")return;if(/\p{Extended_Pictographic}/u.test(e))return r("span",{class:"icon","aria-hidden":"true"},e);let i=/^(https:|data:)/.test(e)?w(e):void 0;return i&&r("img",{class:"icon",src:i,alt:"",referrerpolicy:"no-referrer"})}function A(e,i,n){let t=r("button",{type:"button",class:i||void 0,part:`button ${i}`.trim()},e);return t.addEventListener("click",async s=>{if(!t.hasAttribute("aria-disabled")){t.setAttribute("aria-disabled","true");try{await n(s)}finally{t.removeAttribute("aria-disabled")}}}),t}var z=()=>x("svg",{viewBox:"0 0 24 24","aria-hidden":"true"},x("path",{d:"M5 12.5l4.5 4.5L19 7.5",fill:"none",stroke:"currentColor","stroke-width":2.6,"stroke-linecap":"round","stroke-linejoin":"round"}));var v=e=>typeof e=="string"?e:e?.text??e?.title??e?.label??"",_=(e,i,n)=>typeof e=="number"?`${Math.min(n,Math.max(i,e))}px`:void 0,m=(e,...i)=>i.map(n=>e[n]).find(n=>n!=null);function S(e,{position:i}){let n=Number(m(e,"value","progress_value","gauge_value")??NaN);if(!Number.isFinite(n))return(i.index+1)/i.total;let t=Number(e.max_value??(e.type==="circular_gauge"?100:1))||1;return Math.min(1,Math.max(0,n/(t===1&&n>1?100:t)))}function D(e,i,n){let t=w(e);return t?r("img",{src:t,alt:i??"",class:n,part:"image",referrerpolicy:"no-referrer"}):null}var M=e=>{let i=e?.subtitle??e?.description;return r("span",{class:"titled"},r("span",{class:"bidi"},v(e)),i?r("span",{class:"muted bidi"},i):null)};var U=`
.timeline li { position: relative; display: flex; gap: 14px; padding-block-end: 22px; min-block-size: 44px; }
.timeline.compact li { padding-block-end: 10px; }
.timeline li:last-child { padding-block-end: 0; min-block-size: 0; }
.timeline li:not(:last-child)::before { content: ""; position: absolute; inset-block: 28px 0; inset-inline-start: 13px; inline-size: 2px; background: var(--line, var(--_line)); }
.timeline li.past:not(:last-child)::before { background: var(--past, var(--_accent)); }
.timeline.loose li::before { display: none; }
.knot { position: relative; flex: none; display: grid; place-items: center; inline-size: 28px; block-size: 28px; border-radius: 50%; border: 2px solid var(--next, var(--_border)); background: var(--_background); font-size: .8em; }
.knot svg { inline-size: 16px; block-size: 16px; }
.past .knot { background: var(--past, var(--_accent)); border-color: var(--past, var(--_accent)); color: var(--_accent-text); }
.now .knot { border-color: var(--now, var(--_accent)); box-shadow: 0 0 0 4px var(--_tint); }
.now .knot:empty::after { content: ""; inline-size: 10px; block-size: 10px; border-radius: 50%; background: var(--now, var(--_accent)); }
.timeline .titled { padding-block-start: 3px; }
.timeline .titled > :first-child { font-weight: 600; }
.gauge { text-align: center; }
.gauge .bidi { text-align: center; }
.ring { position: relative; inline-size: 160px; max-inline-size: 100%; margin-inline: auto; display: grid; place-items: center; }
.gauge p { margin-block-start: 4px; }
.gauge p:not(.muted) { font-weight: 600; }
.ring svg, .countdown svg { inline-size: 100%; display: block; transform: rotate(-90deg); grid-area: 1 / 1; }
.ring strong { unicode-bidi: plaintext; grid-area: 1 / 1; font-size: 1.7em; letter-spacing: -.02em; z-index: 1; }
circle { fill: none; stroke-linecap: round; }
.track { stroke: var(--_line); }
.arc { stroke: var(--_accent); transition: stroke-dasharray .5s linear; }
.grows { animation: grow .9s ease-out backwards; }
@keyframes grow { from { stroke-dasharray: 0 400; } }
.countdown { display: grid; justify-items: center; gap: 10px; text-align: center; font-size: var(--size, 2rem); font-variant-numeric: tabular-nums; }
.countdown > svg { inline-size: 180px; block-size: 180px; }
.countdown:has(svg) .digits { grid-area: 1 / 1; align-self: center; }
.countdown:has(svg) { font-size: var(--size, 1.6rem); }
.digits { direction: ltr; display: flex; gap: .5em; font-weight: 700; line-height: 1.1; }
.unit { position: relative; display: grid; justify-items: center; }
.unit + .unit::before { content: ":"; position: absolute; inset-inline-start: -.43em; opacity: .5; }
.unit small { font-size: .75rem; font-weight: 500; color: var(--_muted); }
.flip b { background: var(--_text); color: var(--_background); border-radius: .18em; padding: .12em .22em; box-shadow: inset 0 -1px 0 rgb(0 0 0 / .3); background-image: linear-gradient(transparent 49%, rgb(128 128 128 / .5) 49% 51%, transparent 51%); }
.rail { inline-size: 100%; block-size: 8px; border-radius: 99px; background: var(--_line); overflow: hidden; }
.line { display: block; block-size: 100%; background: var(--_accent); border-radius: inherit; transition: inline-size .5s linear; }
.over { font-size: 1.1rem; color: var(--_muted); }
.loading { display: grid; gap: 12px; justify-items: center; text-align: center; }
.loading p { font-weight: 600; }
.signs { inline-size: 100%; display: grid; gap: 10px; justify-items: center; }
.signs:empty { display: none; }
.spin { inline-size: 48px; block-size: 48px; border-radius: 50%; border: 4px solid var(--_line); border-block-start-color: var(--_accent); animation: spin .9s linear infinite; }
@keyframes spin { to { rotate: 1turn; } }
.run { inline-size: 100%; block-size: 6px; border-radius: 99px; background: var(--_line); overflow: hidden; }
.run span { display: block; block-size: 100%; inline-size: 40%; border-radius: inherit; background: var(--_accent); animation: run 1.4s ease-in-out infinite; }
@keyframes run { from { transform: translateX(-100%); } to { transform: translateX(250%); } }
.bone { block-size: 16px; inline-size: 100%; border-radius: 6px; background: linear-gradient(100deg, var(--_soft) 30%, var(--_line) 50%, var(--_soft) 70%) 0 / 300% 100%; animation: shine 1.6s linear infinite; }
.bone:nth-child(2) { inline-size: 85%; justify-self: start; }
.bone:nth-child(3) { inline-size: 60%; justify-self: start; }
@keyframes shine { from { background-position: 130% 0; } to { background-position: -30% 0; } }
.loading ul { display: grid; gap: 10px; inline-size: fit-content; text-align: start; }
.loading li { display: flex; gap: 12px; align-items: center; color: var(--_muted); transition: color .3s; }
.loading li.done { color: var(--_text); }
.check { flex: none; display: grid; place-items: center; inline-size: 28px; block-size: 28px; border-radius: 50%; border: 2px solid var(--_line); transition: background-color .3s, border-color .3s; }
.check svg { inline-size: 16px; block-size: 16px; opacity: 0; color: var(--_accent-text); grid-area: 1 / 1; }
.check .icon { grid-area: 1 / 1; font-size: .85em; }
.done .check { background: var(--check, var(--_accent)); border-color: var(--check, var(--_accent)); }
.done .check svg { opacity: 1; }
.done .check .icon { opacity: 0; }
.plans { display: grid; gap: 14px; }
.plans > li { position: relative; display: flex; flex-direction: column; gap: 6px; padding: 18px; border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_background); }
.plans > li.best { border: 2px solid var(--_accent); background: var(--_tint); }
.plans strong { font-size: 1.05em; }
.price { text-align: left; font-size: 1.7em; font-weight: 700; letter-spacing: -.02em; line-height: 1.2; }
[dir=rtl] .price { text-align: right; }
.price small { font-size: 1rem; font-weight: 400; letter-spacing: 0; }
.plans .list { margin-block: 8px; gap: 6px; }
.plans button { margin-block-start: auto; min-block-size: 46px; }
.flag { align-self: start; background: var(--_accent); color: var(--_accent-text); border-radius: 99px; padding: 2px 10px; font-size: .8em; font-weight: 600; }
.plans.beside { grid-template-columns: repeat(auto-fit, minmax(min(100%, 11rem), 1fr)); }
.providers { display: grid; gap: 10px; }
.providers button { display: flex; align-items: center; justify-content: center; gap: 10px; background: var(--_text); color: var(--_background); border-color: transparent; }
.providers button:hover { filter: brightness(1.15); }
.providers.outlined button, .providers.minimal button { background: none; color: var(--_text); border-color: var(--_border); }
.providers.minimal button { border-color: transparent; }
.mark { display: grid; place-items: center; inline-size: 24px; block-size: 24px; border-radius: 50%; border: 1.5px solid currentColor; font-size: .8em; font-weight: 700; line-height: 1; }
.or { display: flex; align-items: center; gap: 12px; text-align: center; font-size: .9em; }
.or::before, .or::after { content: ""; flex: 1; border-block-start: 1px solid var(--_line); }
.avatar { position: relative; inline-size: var(--size, 112px); block-size: var(--size, 112px); margin: 20px auto; display: grid; place-items: center; }
.avatar > * { grid-area: 1 / 1; }
.avatar img, .face { position: relative; inline-size: 100%; block-size: 100%; border-radius: 50%; object-fit: cover; border: var(--edge-width, 3px) solid var(--edge, var(--_background)); }
.face { display: grid; place-items: center; background: var(--_accent); color: var(--_accent-text); font-size: 2.4em; font-weight: 600; }
.pulse { inline-size: 100%; block-size: 100%; border-radius: 50%; border: 2px solid var(--_accent); opacity: .35; animation: pulse 2.4s ease-out infinite; }
@keyframes pulse { from { transform: scale(1); opacity: .7; } to { transform: scale(1.4); opacity: 0; } }
.block:has(> .sky) { margin: 0; position: static; }
.sky { position: absolute; inset: calc(var(--_space) * -1.25); z-index: -1; overflow: hidden; pointer-events: none; border-radius: var(--_radius); }
.block:has(> .sky.band) { position: relative; margin-block-end: var(--_space); }
.sky.band { position: relative; inset: auto; z-index: 0; block-size: 140px; background: linear-gradient(#0b1030, #26306b); --_accent: #fff; }
.sky span { position: absolute; border-radius: 50%; background: var(--_accent); opacity: .5; animation: twinkle 5s ease-in-out infinite alternate; }
.sky.sparkles span { border-radius: 0; clip-path: polygon(50% 0, 60% 40%, 100% 50%, 60% 60%, 50% 100%, 40% 60%, 0 50%, 40% 40%); scale: 3; }
.sky.snow span { animation-name: snow; animation-timing-function: linear; animation-direction: normal; }
.sky.bokeh span { opacity: .16; animation-name: drift; }
@keyframes twinkle { from { opacity: .12; } to { opacity: .8; } }
@keyframes snow { from { transform: translateY(-60px); opacity: 0; } 20% { opacity: .7; } to { transform: translateY(240px); opacity: 0; } }
@keyframes drift { from { transform: translate(0, 0); } to { transform: translate(24px, -30px); } }
.hold { position: relative; overflow: hidden; touch-action: none; user-select: none; border-color: var(--_accent); color: var(--_link); font-weight: 600; }
.hold::before { content: ""; position: absolute; inset: 0; background: var(--_accent); opacity: .25; transform: scaleX(0); transform-origin: left; transition: transform .2s; }
[dir=rtl] .hold::before { transform-origin: right; }
.hold.held::before { transform: scaleX(1); transition: transform 1s linear; }
.calendar { border: 1px solid var(--_line); border-radius: var(--_inner); padding: 14px; text-align: center; }
.days { display: grid; grid-template-columns: repeat(7, 1fr); gap: 2px; margin-block-start: 10px; font-variant-numeric: tabular-nums; }
.days span { display: grid; place-items: center; aspect-ratio: 1; max-block-size: 38px; margin: auto; inline-size: 100%; max-inline-size: 38px; }
.days .today { background: var(--_accent); color: var(--_accent-text); border-radius: 50%; font-weight: 700; }
@media (max-width: 360px) { .countdown { font-size: var(--size, 1.6rem); } }
@media (forced-colors: active) {
  .flag { border: 1px solid CanvasText; }
  .arc, .past .knot, .line { stroke: Highlight; }
  .track { stroke: GrayText; }
  .line, .run span, .now .knot:empty::after, .past .knot, .done .check { forced-color-adjust: none; background: Highlight; color: HighlightText; }
  .sky { display: none; }
}
`;function q(e,{paint:i}){let n=m(e,"items","timeline_items")??[],t=new Set(n.map(a=>a?.status)),s=r("ol",{class:`timeline ${e.show_line===!1?"loose":""} ${e.compact?"compact":""}`,role:"list"},n.map((a,l)=>{let o=t.size>1||a?.status?a?.status??"upcoming":l===0?"current":"upcoming",c=o==="completed";return r("li",{class:c?"past":o==="current"?"now":void 0,"aria-current":o==="current"?"step":void 0},r("span",{class:"knot","aria-hidden":"true"},k(a?.icon)??(c?z():null)),M(a))}));return i.set(s,{"--past":f(e.completed_color),"--now":f(e.current_color),"--next":f(e.upcoming_color),"--line":f(e.line_color)})}function L(e,i,{paint:n}){let t=Math.min(24,Math.max(2,Number(m(e,"stroke_width","line_width")??10)||10)),s=60-t/2,a=2*Math.PI*s,l=d=>x("circle",{class:d,cx:60,cy:60,r:s,"stroke-width":t}),o=l("arc");o.setAttribute("stroke-dasharray",`${a*i} ${a}`),n.set(o,{stroke:f(m(e,"fill_color","bar_color","progress_color","accent_color","color")),"--whole":String(a*i)});let c=n.set(l("track"),{stroke:f(e.track_color)});return{drawing:x("svg",{viewBox:"0 0 120 120","aria-hidden":"true"},c,o),arc:o,length:a}}function O(e,i){let n=S(e,i),{paint:t,texts:s}=i,{drawing:a,arc:l}=L(e,n,i);e.animate!==!1&&l.classList.add("grows");let o=m(e,"value","gauge_value"),c=e.label??s.get("progressBar"),p=Number(e.max_value??100),d=`${Number(o??Math.round(n*100))}${e.unit??(p===100?" %":"")}`,u=r("strong",{},d);t.set(u,{"font-size":_(e.label_font_size,10,40)});let g=[e.label,e.sublabel].filter(Boolean);return r("div",{class:"gauge"},r("div",{class:"ring",role:"meter","aria-label":c,"aria-valuemin":"0","aria-valuemax":"100","aria-valuenow":Math.round(n*100),"aria-valuetext":d},a,u),g.map((b,y)=>r("p",{class:y?"muted bidi":"bidi"},b)))}function H(e,i){let n=[["days",86400],["hours",3600],["minutes",60],["seconds",1]],t=i;return n.flatMap(([s,a])=>{let l=String(s),o=Math.floor(t/Number(a)),c=e[`show_${l}`]??(l==="minutes"||l==="seconds"||e.duration_seconds>=Number(a));return c&&(t-=o*Number(a)),c?[{key:l,count:o}]:[]})}function P(e,i){let{press:n,paint:t,texts:s}=i,a=Number(e.duration_seconds??0),l=Date.now()+a*1e3,o=m(e,"timer_variant","variant"),c=new Intl.NumberFormat(s.locale,{minimumIntegerDigits:2}),p=r("span",{class:"digits"}),d=r("div",{class:`countdown ${o==="flip"?"flip":""}`,role:"timer"},p);t.set(d,{"--_accent":f(e.accent_color),"--size":_(e.font_size,12,72)});let u=o==="circular"?L({...e,fill_color:e.accent_color,stroke_width:8},1,i):null;u&&d.prepend(u.drawing);let g=o==="bar"?r("span",{class:"line"}):null,b=1;g&&d.append(r("span",{class:"rail","aria-hidden":"true"},g));let y=g?t.live(g,()=>({"inline-size":`${b*100}%`})):()=>{},C=e.labels??{},j=()=>{d.classList.add("over"),d.replaceChildren(r("span",{class:"bidi"},e.expired_text??"0:00"));let h=e.on_expire_action;h==="hide"?d.hidden=!0:h&&h!=="show_expired_text"&&n({...e,action:h==="auto_advance"?"next":h})},N=()=>{let h=Math.max(0,Math.ceil((l-Date.now())/1e3));if(h<=0)return j();b=a>0?h/a:0,y(),u?.arc.setAttribute("stroke-dasharray",`${u.length*b} ${u.length}`),p.replaceChildren(...H(e,h).map(({key:T,count:F})=>r("span",{class:"unit"},r("b",{},c.format(F)),C[T]?r("small",{class:"bidi"},C[T]):null))),setTimeout(()=>d.isConnected&&N(),500)};return setTimeout(N,0),d}function R(e,{press:i,paint:n}){let t=m(e,"items","loading_items")??[],s=Math.min(6e4,Math.max(300,Number(e.total_duration_ms??3e3))),a=m(e,"loading_variant","variant")??(t.length>0?"checklist":"circular"),l=f(e.progress_color),o=a==="skeleton"?[r("span",{class:"bone"}),r("span",{class:"bone"}),r("span",{class:"bone"})]:a==="linear"?[n.set(r("span",{class:"run"},n.set(r("span"),{background:l})),{})]:a==="circular"?[n.set(r("span",{class:"spin"}),{"--_accent":l})]:[],c=t.map(d=>r("li",{},r("span",{class:"check","aria-hidden":"true"},k(d?.icon),z()),M(d))),p=r("div",{class:"loading",role:"status"},r("div",{class:"signs","aria-hidden":"true"},o),e.text||e.title?r("p",{class:"bidi"},v(e)):null,c.length>0?r("ul",{role:"list"},c):null);return n.set(p,{"--check":f(m(e,"check_color","progress_color"))}),c.forEach((d,u)=>{setTimeout(()=>d.classList.add("done"),s*(u+1)/c.length)}),e.auto_advance&&setTimeout(()=>p.isConnected&&i({...e,action:"next"}),s),p}var X=(e,{press:i,texts:n})=>r("ul",{class:`plans ${e.pricing_layout==="side_by_side"?"beside":""}`.trim(),role:"list"},(m(e,"plans","pricing_plans")??[]).map(t=>{let s=t.title??t.name??t.label??t.id,a=t.is_highlighted??t.highlighted??!1,l=t.badge??(a?n.get("popular"):null);return r("li",{class:a?"best":void 0},l?r("span",{class:"flag bidi"},l):null,r("strong",{class:"bidi"},s),t.description?r("span",{class:"muted bidi"},t.description):null,r("span",{class:"price bidi"},t.price??"",t.period?r("small",{class:"muted"},` / ${t.period}`):null),Array.isArray(t.features)?r("ul",{class:"list checks",role:"list"},t.features.map(o=>r("li",{},r("span",{class:"bullet","aria-hidden":"true"},z()),r("span",{class:"bidi"},v(o))))):null,A(t.cta_text??e.cta_text??s,a?"primary":"",()=>i({...e,action:"select_plan",action_value:t.id})))})),Y=(e,{press:i})=>r("div",{class:`providers ${["outlined","minimal","filled"].includes(e.button_style)?e.button_style:""}`},e.show_divider?r("p",{class:"or muted bidi"},e.divider_text??""):null,(e.providers??[]).filter(n=>n?.enabled!==!1).map(n=>{let t=String(n.type??n.id??n),s=v(n)||t,a=n.type??n.id??s,l=A("","",()=>i({...e,action:"social_login",action_value:a})),o=s===t?t.charAt(0).toUpperCase()+t.slice(1):s;return l.classList.add("wide"),l.append(r("span",{class:"mark","aria-hidden":"true"},t==="email"?"@":t.charAt(0).toUpperCase()),r("span",{class:"bidi"},o)),l}));function Z(e,{paint:i}){let n=Math.min(4,Math.max(1,Number(e.pulse_ring_count??2)||2)),t=Math.min(5,Math.max(.2,Number(e.pulse_speed??1)||1)),s=D(m(e,"image_url","url"),e.alt)??r("span",{class:"face","aria-hidden":"true"},k(e.icon)??v(e).charAt(0)??""),a=r("div",{class:"avatar"},Array.from({length:n},(l,o)=>i.set(r("span",{class:"pulse"}),{"animation-delay":`${(o*2.4/n/t).toFixed(2)}s`,"animation-duration":`${(2.4/t).toFixed(2)}s`})),s);return i.set(a,{"--_accent":f(e.pulse_color),"--edge":f(e.border_color),"--edge-width":_(e.border_width,0,12),"--size":_(m(e,"size","height"),40,240)})}function W(e,{paint:i}){let n={sparse:18,dense:70}[String(e.density)]??36,t={slow:9,fast:3}[String(e.speed)]??5,[s,a]=Array.isArray(e.size_range)?e.size_range.map(Number):[2,5],l=["sparkles","dots","snow","bokeh"].includes(e.particle_type)?e.particle_type:"stars",o=7,c=()=>(o=o*16807%2147483647)/2147483647,p=[m(e,"color","primary_color"),e.secondary_color].map(f),d=Array.from({length:n},(u,g)=>{let b=l==="bokeh"?12:1,y=Math.min(60,Math.max(1,(s+c()*(a-s))*b||2));return i.set(r("span"),{"inset-inline-start":`${(c()*100).toFixed(1)}%`,"inset-block-start":`${(c()*100).toFixed(1)}%`,"inline-size":`${y.toFixed(1)}px`,"block-size":`${y.toFixed(1)}px`,"animation-delay":`${(-c()*t).toFixed(2)}s`,"animation-duration":`${(t*(.6+c()*.8)).toFixed(2)}s`,background:g%3===0?p[1]??p[0]:p[0]})});return r("div",{class:`sky ${l} ${e.fullscreen===!1?"band":""}`,"aria-hidden":"true"},d)}function G(e,{press:i,texts:n}){let t=()=>i({...e,action:e.action??"next"}),s=0,a=r("button",{type:"button",class:"hold wide",part:"button"},r("span",{class:"bidi"},v(e)||n.get("hold"))),l=()=>{clearTimeout(s),a.classList.remove("held")};a.addEventListener("pointerdown",()=>{a.classList.add("held"),s=setTimeout(t,Math.min(5e3,Math.max(300,Number(e.duration_ms??1e3))))});for(let o of["pointerup","pointerleave","pointercancel"])a.addEventListener(o,l);return a.addEventListener("click",o=>o.detail===0&&t()),a}function J(e,{texts:i}){let n=/^\d{4}-\d\d-\d\d/.test(e.date??"")?new Date(`${e.date.slice(0,10)}T00:00:00Z`):new Date,[t,s]=[n.getUTCFullYear(),n.getUTCMonth()],a=u=>new Intl.DateTimeFormat(i.locale,{timeZone:"UTC",...u}),l=Array.from({length:7},(u,g)=>a({weekday:"narrow"}).format(Date.UTC(2024,0,1+g))),o=(new Date(Date.UTC(t,s,1)).getUTCDay()+6)%7,c=new Date(Date.UTC(t,s+1,0)).getUTCDate(),p=[...l.map(u=>r("span",{class:"muted"},u)),...Array.from({length:o},()=>r("span"))];for(let u=1;u<=c;u++)p.push(r("span",{class:u===n.getUTCDate()?"today":void 0},u));let d=a({month:"long",year:"numeric"}).format(n);return r("div",{class:"calendar",role:"img","aria-label":a({dateStyle:"long"}).format(n)},r("strong",{},d),r("div",{class:"days","aria-hidden":"true"},p))}var _e={pulsing_avatar:Z,social_login:Y,timeline:q,animated_loading:R,countdown_timer:P,circular_gauge:O,star_background:W,pricing_card:X,press_hold_confirm:G,calendar_month:J};export{U as css,_e as types};
