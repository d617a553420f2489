/** Style of the page, after the style that every page shares. */
export const REMOTE_STYLE: string = `
body { font-size: .9375rem; padding: 0 env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left); }
main { max-width: 60rem; margin: 0 auto; padding: .75rem; display: grid; gap: .75rem; }
.top { position: sticky; top: 0; z-index: 3; display: flex; gap: .5rem; align-items: center; padding: .5rem .75rem;
  padding-top: calc(.5rem + env(safe-area-inset-top)); background: var(--surface); border-bottom: 1px solid var(--border); }
.brand { font-weight: 650; font-size: 1rem; flex: 0 100 auto; min-width: 3.5rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.brand a { color: var(--text); }
.line { flex: 1 1 auto; min-width: 5.5rem; text-align: end; color: var(--dim); font-size: .8125rem; line-height: 1.2; overflow-wrap: normal; }
.problem { position: sticky; top: calc(3.75rem + env(safe-area-inset-top)); z-index: 3; }
button, .button { min-height: 2.75rem; min-width: 2.75rem; padding: .375rem .75rem; border: 1px solid var(--border); border-radius: .5rem;
  background: var(--raised); cursor: pointer; display: inline-flex; align-items: center; justify-content: center; color: var(--text); white-space: nowrap; }
button:hover, .button:hover { background: var(--hover); text-decoration: none; }
button:disabled { opacity: .55; cursor: default; }
.is-main { background: var(--accent); border-color: var(--accent); color: light-dark(#ffffff, #0e1318); font-weight: 650; }
.is-main:hover { background: var(--accent); filter: brightness(1.08); }
button.is-bad { color: var(--bad); border-color: var(--bad); }
input, textarea, select { min-height: 2.75rem; width: 100%; padding: .5rem .625rem; border: 1px solid var(--border); border-radius: .5rem;
  background: var(--surface); font: inherit; font-size: 1rem; color: var(--text); }
input[type="radio"], input[type="checkbox"] { width: 1.25rem; min-height: 1.25rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.bar { display: flex; gap: .5rem; align-items: center; }
.bar > button, .bar > .button { flex: none; }
.bar h2 { flex: 1; min-width: 0; display: grid; }
.actions .bar { align-items: end; }
.actions .bar label { flex: 1; }
.title, .path, .name { unicode-bidi: isolate; }
.title { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.heading { display: flex; gap: .5rem; align-items: baseline; min-width: 0; }
.heading .title { flex: 1; min-width: 0; }
time { color: var(--dim); font-size: .8125rem; white-space: nowrap; }
.facts, .remark { color: var(--dim); font-size: .8125rem; font-weight: 400; }
.empty { color: var(--dim); padding: 2rem .75rem; text-align: center; }
.sessions { display: grid; gap: .5rem; }
.session { display: flex; gap: .75rem; padding: .75rem; min-height: 3.5rem; background: var(--surface); border: 1px solid var(--border);
  border-radius: .625rem; color: var(--text); align-items: center; }
.session:hover { background: var(--hover); text-decoration: none; }
.session.is-needs-you { border-color: var(--retry); background: var(--retry-tint); }
.session .words { min-width: 0; display: grid; flex: 1; }
.session .state { font-size: 1.25rem; width: 1.5rem; text-align: center; }
.is-working .state { color: var(--accent); }
.is-ready .state { color: var(--good); }
.session-bar { position: sticky; top: calc(3.75rem + env(safe-area-inset-top)); z-index: 2; background: var(--page); padding: .25rem 0; display: grid; gap: .25rem; }
.session .facts, .session-bar .facts { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow: hidden; }
.session-bar .facts { -webkit-line-clamp: 2; }
.session-bar.is-open .facts { -webkit-line-clamp: 6; }
.actions { max-height: max(10rem, calc(100dvh - 15.5rem)); overflow-y: auto; overscroll-behavior: contain; display: grid; gap: .5rem; padding: .75rem; background: var(--surface); border: 1px solid var(--border); border-radius: .625rem; }
.actions label, .new-session label { display: grid; gap: .25rem; color: var(--dim); font-size: .8125rem; }
.rule { display: flex; align-items: center; gap: .5rem; justify-content: space-between; }
.new-session, .settings section { display: grid; gap: .75rem; padding: .75rem; background: var(--surface); border: 1px solid var(--border);
  border-radius: .625rem; justify-items: stretch; }
.rows-of-session { display: grid; gap: .625rem; }
.message { padding: .625rem .75rem; border-radius: .625rem; background: var(--surface); border: 1px solid var(--border-soft); min-width: 0; }
.message.is-user { background: var(--accent-tint); border-color: transparent; margin-inline-start: 2rem; }
.message.is-system { color: var(--dim); }
.message > * + *, .tool > * + * { margin-top: .5rem; }
.message.is-forgotten { border-style: dashed; border-color: var(--bad); }
.message.is-not-delivered { border: 1px solid var(--bad); }
.message.is-forgotten .markdown { color: var(--dim); }
.message.is-preview { border-style: dashed; }
.plain { white-space: pre-wrap; }
.markdown { display: grid; grid-template-columns: minmax(0, 1fr); gap: .5rem; min-width: 0; }
.markdown ul, .markdown ol { padding-inline-start: 1.25rem; list-style: revert; }
.markdown h3 { font-size: 1rem; }
.markdown a { text-decoration: underline; }
.markdown blockquote { margin: 0; padding-inline-start: .75rem; border-inline-start: 3px solid var(--border); color: var(--dim); }
.markdown :is(ul, ol) :is(ul, ol) :is(ul, ol) :is(ul, ol) :is(ul, ol), .markdown blockquote blockquote blockquote blockquote blockquote { padding-inline-start: 0; border: 0; }
.markdown table { border-collapse: collapse; }
.markdown th, .markdown td { border: 1px solid var(--border); padding: .25rem .5rem; text-align: start; overflow-wrap: break-word; }
.table, pre.text { overflow-x: auto; }
pre.text { padding: .5rem .625rem; background: var(--raised); border-radius: .375rem; white-space: pre-wrap; max-height: 24rem; overflow-y: auto; }
.thought summary, .tool summary { cursor: pointer; min-height: 2.75rem; padding: .6875rem 0; color: var(--dim); overflow-wrap: anywhere; }
.tool { padding: .375rem .75rem; background: var(--surface); border: 1px solid var(--border-soft); border-radius: .625rem; min-width: 0; }
.tool .sign { display: inline-block; width: 1.25rem; }
.tool.is-succeeded .sign { color: var(--good); }
.tool.is-failed .sign, .tool.is-refused .sign { color: var(--bad); }
.request { padding: .75rem; border-radius: .625rem; background: var(--surface); border: 1px solid var(--border); display: grid; gap: .625rem; min-width: 0; }
.request.is-open { border: 2px solid var(--retry); }
.answers, .questions { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; }
.answers > button { flex: 1 1 8rem; white-space: normal; }
.answers.is-dialog > button { flex: 1 1 100%; }
.remark > button { margin-inline-start: .5rem; }
.reason { flex: 1 1 100%; display: grid; gap: .25rem; color: var(--dim); font-size: .8125rem; }
fieldset { border: 1px solid var(--border); border-radius: .5rem; width: 100%; }
.option.is-wide { flex: 1 1 100%; }
.option input { flex: none; }
.option { display: flex; gap: .5rem; align-items: center; min-height: 2.75rem; }
.devices { display: grid; gap: .5rem; }
.devices li { display: grid; overflow-wrap: anywhere; }
.is-waiting { background: var(--retry-tint); border-color: var(--retry); }
.notice { display: flex; gap: .5rem; justify-content: space-between; align-items: center; overflow-wrap: anywhere; padding: .5rem .75rem; border-radius: .5rem; background: var(--idle-tint); max-width: 60rem; margin: 0 auto; width: 100%; }
.notice.is-warning { background: var(--retry-tint); }
.notice.is-error { background: var(--bad-tint); }
.diff-holder { overflow: auto; max-height: 28rem; border: 1px solid var(--border-soft); border-radius: .375rem; }
.diff table { border-collapse: collapse; width: 100%; font-family: var(--mono); font-size: .8125rem; }
.diff td { padding: 0 .375rem; vertical-align: top; }
.diff .code { white-space: pre-wrap; width: 100%; text-align: start; }
.diff .line-number { color: var(--dim); text-align: end; user-select: none; }
.diff .is-added { background: var(--good-tint); }
.diff .is-removed { background: var(--bad-tint); }
.diff .is-note { background: var(--retry-tint); }
.diff .hunk td { color: var(--dim); background: var(--raised); }
.foot { position: sticky; bottom: 0; z-index: 1; }
.composer { display: flex; gap: .5rem; align-items: end; padding: .5rem 0; background: var(--page);
  padding-bottom: calc(.5rem + env(safe-area-inset-bottom)); }
.composer textarea { resize: none; }
.jump { position: absolute; bottom: 100%; right: 0; background: var(--retry-tint); border-color: var(--retry); }
.jump:last-child { margin-bottom: calc(.5rem + env(safe-area-inset-bottom)); }
.sr-only { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 30rem) { .diff .line-number:first-child { display: none; } .message.is-user { margin-inline-start: 1rem; } }
`;
