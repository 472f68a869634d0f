function B(e){if(typeof e!="string")return;if(e==="transparent")return[0,0,0,0];let r=/^rgba?\((\d+),? (\d+),? (\d+)(?:(?:,| \/) ([\d.]+))?\)$/.exec(e);if(r){let[o,c,p,d=1]=r.slice(1).map(u=>u===void 0?void 0:Number(u));return[o,c,p,d]}if(!/^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(e))return;let n=e.length<6?[...e.slice(1)].map(o=>o+o):e.slice(1).match(/../g)??[],[t,s,a,l=255]=n.map(o=>parseInt(o,16));return[t,s,a,l/255]}var I=([e,r,n,t])=>`rgb(${e} ${r} ${n} / ${t})`;function f(e){let r=B(e);return r&&I(r)}function i(e,r={},...n){let t=document.createElement(e);for(let[s,a]of Object.entries(r))a==null||a===!1||(s.startsWith("on")?t.addEventListener(s.slice(2),a):s==="value"||s==="checked"?Reflect.set(t,s,a):t.setAttribute(s,a===!0?"":String(a)));return $(t,n),t}function $(e,r){for(let n of r)Array.isArray(n)?$(e,n):n instanceof Node?e.appendChild(n):n!=null&&n!==!1&&e.appendChild(document.createTextNode(String(n)))}function x(e,r={},...n){let t=document.createElementNS("http://www.w3.org/2000/svg",e);for(let[s,a]of Object.entries(r))a!==void 0&&t.setAttribute(s,String(a));return $(t,n),t}var K=Math.random().toString(36).slice(2,6);var w=e=>typeof e=="string"&&/^data:image\//i.test(e)?e:E(e);function E(e){if(typeof e=="string")try{let r=new URL(e,document.baseURI);return r.protocol==="https:"||r.protocol==="http:"?r.href:void 0}catch{return}}var V=new Intl.Segmenter(void 0,{granularity:"grapheme"});function k(e){if(typeof e!="string")return;if(/\p{Extended_Pictographic}/u.test(e))return i("span",{class:"icon","aria-hidden":"true"},e);let r=/^(https:|data:)/.test(e)?w(e):void 0;return r&&i("img",{class:"icon",src:r,alt:"",referrerpolicy:"no-referrer"})}function T(e,r,n){let t=i("button",{type:"button",class:r||void 0,part:`button ${r}`.trim()},e);return t.addEventListener("click",async s=>{if(!t.hasAttribute("aria-disabled")){t.setAttribute("aria-disabled","true");try{await n(s)}finally{t.removeAttribute("aria-disabled")}}}),t}var z=()=>x("svg",{viewBox:"0 0 24 24","aria-hidden":"true"},x("path",{d:"M5 12.5l4.5 4.5L19 7.5",fill:"none",stroke:"currentColor","stroke-width":2.6,"stroke-linecap":"round","stroke-linejoin":"round"}));var y=e=>typeof e=="string"?e:e?.text??e?.title??e?.label??"",_=(e,r,n)=>typeof e=="number"?`${Math.min(n,Math.max(r,e))}px`:void 0,m=(e,...r)=>r.map(n=>e[n]).find(n=>n!=null);function D(e,{position:r}){let n=Number(m(e,"value","progress_value","gauge_value")??NaN);if(!Number.isFinite(n))return(r.index+1)/r.total;let t=Number(e.max_value??(e.type==="circular_gauge"?100:1))||1;return Math.min(1,Math.max(0,n/(t===1&&n>1?100:t)))}function S(e,r,n){let t=w(e);return t?i("img",{src:t,alt:r??"",class:n,part:"image",referrerpolicy:"no-referrer"}):null}var M=e=>{let r=e?.subtitle??e?.description;return i("span",{class:"titled"},i("span",{class:"bidi"},y(e)),r?i("span",{class:"muted bidi"},r):null)};var O=`
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
`;function q(e,{paint:r}){let n=m(e,"items","timeline_items")??[],t=new Set(n.map(a=>a?.status)),s=i("ol",{class:`timeline ${e.show_line===!1?"loose":""} ${e.compact?"compact":""}`,role:"list"},n.map((a,l)=>{let o=t.size>1||a?.status?a?.status??"upcoming":l===0?"current":"upcoming",c=o==="completed";return i("li",{class:c?"past":o==="current"?"now":void 0,"aria-current":o==="current"?"step":void 0},i("span",{class:"knot","aria-hidden":"true"},k(a?.icon)??(c?z():null)),M(a))}));return r.set(s,{"--past":f(e.completed_color),"--now":f(e.current_color),"--next":f(e.upcoming_color),"--line":f(e.line_color)})}function L(e,r,{paint:n}){let t=Math.min(24,Math.max(2,Number(m(e,"stroke_width","line_width")??10)||10)),s=60-t/2,a=2*Math.PI*s,l=d=>x("circle",{class:d,cx:60,cy:60,r:s,"stroke-width":t}),o=l("arc");o.setAttribute("stroke-dasharray",`${a*r} ${a}`),n.set(o,{stroke:f(m(e,"fill_color","bar_color","progress_color","accent_color","color")),"--whole":String(a*r)});let c=n.set(l("track"),{stroke:f(e.track_color)});return{drawing:x("svg",{viewBox:"0 0 120 120","aria-hidden":"true"},c,o),arc:o,length:a}}function U(e,r){let n=D(e,r),{paint:t,texts:s}=r,{drawing:a,arc:l}=L(e,n,r);e.animate!==!1&&l.classList.add("grows");let o=m(e,"value","gauge_value"),c=e.label??s.get("progressBar"),p=Number(e.max_value??100),d=`${Number(o??Math.round(n*100))}${e.unit??(p===100?" %":"")}`,u=i("strong",{},d);t.set(u,{"font-size":_(e.label_font_size,10,40)});let g=[e.label,e.sublabel].filter(Boolean);return i("div",{class:"gauge"},i("div",{class:"ring",role:"meter","aria-label":c,"aria-valuemin":"0","aria-valuemax":"100","aria-valuenow":Math.round(n*100),"aria-valuetext":d},a,u),g.map((b,v)=>i("p",{class:v?"muted bidi":"bidi"},b)))}function H(e,r){let n=[["days",86400],["hours",3600],["minutes",60],["seconds",1]],t=r;return n.flatMap(([s,a])=>{let l=String(s),o=Math.floor(t/Number(a)),c=e[`show_${l}`]??(l==="minutes"||l==="seconds"||e.duration_seconds>=Number(a));return c&&(t-=o*Number(a)),c?[{key:l,count:o}]:[]})}function P(e,r){let{press:n,paint:t,texts:s}=r,a=Number(e.duration_seconds??0),l=Date.now()+a*1e3,o=m(e,"timer_variant","variant"),c=new Intl.NumberFormat(s.locale,{minimumIntegerDigits:2}),p=i("span",{class:"digits"}),d=i("div",{class:`countdown ${o==="flip"?"flip":""}`,role:"timer"},p);t.set(d,{"--_accent":f(e.accent_color),"--size":_(e.font_size,12,72)});let u=o==="circular"?L({...e,fill_color:e.accent_color,stroke_width:8},1,r):null;u&&d.prepend(u.drawing);let g=o==="bar"?i("span",{class:"line"}):null,b=1;g&&d.append(i("span",{class:"rail","aria-hidden":"true"},g));let v=g?t.live(g,()=>({"inline-size":`${b*100}%`})):()=>{},A=e.labels??{},j=()=>{d.classList.add("over"),d.replaceChildren(i("span",{class:"bidi"},e.expired_text??"0:00"));let h=e.on_expire_action;h==="hide"?d.hidden=!0:h&&h!=="show_expired_text"&&n({...e,action:h==="auto_advance"?"next":h})},C=()=>{let h=Math.max(0,Math.ceil((l-Date.now())/1e3));if(h<=0)return j();b=a>0?h/a:0,v(),u?.arc.setAttribute("stroke-dasharray",`${u.length*b} ${u.length}`),p.replaceChildren(...H(e,h).map(({key:N,count:F})=>i("span",{class:"unit"},i("b",{},c.format(F)),A[N]?i("small",{class:"bidi"},A[N]):null))),setTimeout(()=>d.isConnected&&C(),500)};return setTimeout(C,0),d}function R(e,{press:r,paint:n}){let t=m(e,"items","loading_items")??[],s=Math.min(6e4,Math.max(300,Number(e.total_duration_ms??3e3))),a=m(e,"loading_variant","variant")??(t.length>0?"checklist":"circular"),l=f(e.progress_color),o=a==="skeleton"?[i("span",{class:"bone"}),i("span",{class:"bone"}),i("span",{class:"bone"})]:a==="linear"?[n.set(i("span",{class:"run"},n.set(i("span"),{background:l})),{})]:a==="circular"?[n.set(i("span",{class:"spin"}),{"--_accent":l})]:[],c=t.map(d=>i("li",{},i("span",{class:"check","aria-hidden":"true"},k(d?.icon),z()),M(d))),p=i("div",{class:"loading",role:"status"},i("div",{class:"signs","aria-hidden":"true"},o),e.text||e.title?i("p",{class:"bidi"},y(e)):null,c.length>0?i("ul",{role:"list"},c):null);return n.set(p,{"--check":f(m(e,"check_color","progress_color"))}),c.forEach((d,u)=>{setTimeout(()=>d.classList.add("done"),s*(u+1)/c.length)}),e.auto_advance&&setTimeout(()=>p.isConnected&&r({...e,action:"next"}),s),p}var X=(e,{press:r,texts:n})=>i("ul",{class:`plans ${e.pricing_layout==="side_by_side"?"beside":""}`.trim(),role:"list"},(m(e,"plans","pricing_plans")??[]).map(t=>{let s=t.title??t.name??t.label??t.id,a=t.is_highlighted??t.highlighted??!1,l=t.badge??(a?n.get("popular"):null);return i("li",{class:a?"best":void 0},l?i("span",{class:"flag bidi"},l):null,i("strong",{class:"bidi"},s),t.description?i("span",{class:"muted bidi"},t.description):null,i("span",{class:"price bidi"},t.price??"",t.period?i("small",{class:"muted"},` / ${t.period}`):null),Array.isArray(t.features)?i("ul",{class:"list checks",role:"list"},t.features.map(o=>i("li",{},i("span",{class:"bullet","aria-hidden":"true"},z()),i("span",{class:"bidi"},y(o))))):null,T(t.cta_text??e.cta_text??s,a?"primary":"",()=>r({...e,action:"select_plan",action_value:t.id})))}));function Y(e,{paint:r}){let n=Math.min(4,Math.max(1,Number(e.pulse_ring_count??2)||2)),t=Math.min(5,Math.max(.2,Number(e.pulse_speed??1)||1)),s=S(m(e,"image_url","url"),e.alt)??i("span",{class:"face","aria-hidden":"true"},k(e.icon)??y(e).charAt(0)??""),a=i("div",{class:"avatar"},Array.from({length:n},(l,o)=>r.set(i("span",{class:"pulse"}),{"animation-delay":`${(o*2.4/n/t).toFixed(2)}s`,"animation-duration":`${(2.4/t).toFixed(2)}s`})),s);return r.set(a,{"--_accent":f(e.pulse_color),"--edge":f(e.border_color),"--edge-width":_(e.border_width,0,12),"--size":_(m(e,"size","height"),40,240)})}function Z(e,{paint:r}){let n={sparse:18,dense:70}[String(e.density)]??36,t={slow:9,fast:3}[String(e.speed)]??5,[s,a]=Array.isArray(e.size_range)?e.size_range.map(Number):[2,5],l=["sparkles","dots","snow","bokeh"].includes(e.particle_type)?e.particle_type:"stars",o=7,c=()=>(o=o*16807%2147483647)/2147483647,p=[m(e,"color","primary_color"),e.secondary_color].map(f),d=Array.from({length:n},(u,g)=>{let b=l==="bokeh"?12:1,v=Math.min(60,Math.max(1,(s+c()*(a-s))*b||2));return r.set(i("span"),{"inset-inline-start":`${(c()*100).toFixed(1)}%`,"inset-block-start":`${(c()*100).toFixed(1)}%`,"inline-size":`${v.toFixed(1)}px`,"block-size":`${v.toFixed(1)}px`,"animation-delay":`${(-c()*t).toFixed(2)}s`,"animation-duration":`${(t*(.6+c()*.8)).toFixed(2)}s`,background:g%3===0?p[1]??p[0]:p[0]})});return i("div",{class:`sky ${l} ${e.fullscreen===!1?"band":""}`,"aria-hidden":"true"},d)}function W(e,{press:r,texts:n}){let t=()=>r({...e,action:e.action??"next"}),s=0,a=i("button",{type:"button",class:"hold wide",part:"button"},i("span",{class:"bidi"},y(e)||n.get("hold"))),l=()=>{clearTimeout(s),a.classList.remove("held")};a.addEventListener("pointerdown",()=>{a.classList.add("held"),s=setTimeout(t,Math.min(5e3,Math.max(300,Number(e.duration_ms??1e3))))});for(let o of["pointerup","pointerleave","pointercancel"])a.addEventListener(o,l);return a.addEventListener("click",o=>o.detail===0&&t()),a}function G(e,{texts:r}){let n=/^\d{4}-\d\d-\d\d/.test(e.date??"")?new Date(`${e.date.slice(0,10)}T00:00:00Z`):new Date,[t,s]=[n.getUTCFullYear(),n.getUTCMonth()],a=u=>new Intl.DateTimeFormat(r.locale,{timeZone:"UTC",...u}),l=Array.from({length:7},(u,g)=>a({weekday:"narrow"}).format(Date.UTC(2024,0,1+g))),o=(new Date(Date.UTC(t,s,1)).getUTCDay()+6)%7,c=new Date(Date.UTC(t,s+1,0)).getUTCDate(),p=[...l.map(u=>i("span",{class:"muted"},u)),...Array.from({length:o},()=>i("span"))];for(let u=1;u<=c;u++)p.push(i("span",{class:u===n.getUTCDate()?"today":void 0},u));let d=a({month:"long",year:"numeric"}).format(n);return i("div",{class:"calendar",role:"img","aria-label":a({dateStyle:"long"}).format(n)},i("strong",{},d),i("div",{class:"days","aria-hidden":"true"},p))}var ye={pulsing_avatar:Y,timeline:q,animated_loading:R,countdown_timer:P,circular_gauge:U,star_background:Z,pricing_card:X,press_hold_confirm:W,calendar_month:G};export{O as css,ye as types};
