/** Style of the panel with a step or a file, and of the code in it. */
export const DETAIL_STYLE: string = `
.drawer {
  position: fixed; inset: 0 0 0 auto; width: min(64rem, 100vw); max-width: none; height: 100dvh; max-height: none; margin: 0; padding: 0;
  border: 0; border-inline-start: 1px solid var(--border); background: var(--surface); color: var(--text);
  box-shadow: -8px 0 32px rgb(0 0 0 / .2);
}
.drawer::backdrop { background: light-dark(rgb(30 40 55 / .3), rgb(0 0 0 / .55)); }
.drawer-frame { height: 100%; display: flex; flex-direction: column; }
.drawer-head {
  display: flex; align-items: center; gap: .4rem; padding: .6rem 1rem; border-bottom: 1px solid var(--border); background: var(--surface);
}
.drawer-head h2 { flex: 1; min-width: 0; font-size: 1rem; max-height: 4.4em; overflow: auto; }
.move, .close { min-width: 2rem; text-align: center; flex: none; color: inherit; }
.move[aria-disabled] { opacity: .35; cursor: default; }
.drawer-body { flex: 1; overflow: auto; padding: 1rem; overscroll-behavior: contain; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .5rem 1.5rem; }
.facts .is-wide { grid-column: 1 / -1; }
.facts dt { color: var(--dim); font-size: .75rem; }
.block { margin-top: 1.1rem; }
.block > h3 { margin-bottom: .35rem; }
.text {
  background: var(--raised); border: 1px solid var(--border-soft); border-radius: 6px; padding: .6rem .8rem; max-height: 28rem;
  overflow: auto; white-space: pre-wrap; tab-size: 4; font-size: .8125rem; line-height: 1.5;
}
.drawer-body .banner { margin-top: .9rem; }
.attempts { display: grid; gap: .35rem; }
.attempt { display: flex; gap: .6rem; padding: .35rem .7rem; border-inline-start: 3px solid var(--tone); background: var(--raised); border-radius: 0 6px 6px 0; }
.attempt strong { color: var(--tone); }
.attempt.is-interrupted, .attempt.is-cancelled { border-inline-start-style: dashed; }
.attempt-number { flex: none; color: var(--dim); font-variant-numeric: tabular-nums; }
.session { font-size: .8125rem; }
.command { display: block; margin-top: .15rem; }
.runs { display: grid; gap: .6rem; }
.live { align-items: center; flex-wrap: wrap; margin: 0; }
.live > div { flex: 1 1 18rem; }
.live .live-buttons { flex: none; display: flex; gap: .4rem; }
.calls { display: grid; gap: .15rem; }
.call { display: flex; align-items: baseline; gap: .5rem; min-width: 0; }
.call .icon { margin: 0; align-self: center; }
.call-tool { flex: none; max-width: 45%; font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.call-summary { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.call .number, .call-verdict { flex: none; font-size: .8125rem; }
.transcript h4 { margin: .7rem 0 .3rem; font: inherit; font-weight: 650; font-size: .8125rem; }
.entries { display: grid; gap: .35rem; }
.entry { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); gap: .6rem; }
.entry-kind { color: var(--dim); font-size: .75rem; padding-top: .35rem; }
.entry .text { padding: .35rem .6rem; max-height: 18rem; }
.entry.is-thinking .text, .entry.is-status .text { color: var(--dim); }
.entry.is-prompt .text { border-inline-start: 3px solid var(--accent); }
.entry.is-repair .text { border-inline-start: 3px solid var(--repair); }
.entry.is-error .text { border-inline-start: 3px solid var(--bad); }
.entry.is-tool .entry-text { padding-top: .25rem; }
.expectation p { margin-inline-start: 1.4rem; }
.remarks .expectation code { color: inherit; font-weight: 400; }
.remark { margin-top: .9rem; }
.remarks { display: grid; gap: .35rem; }
.remarks li { padding: .35rem .7rem; background: var(--raised); border-radius: 6px; }
.remarks code { color: var(--retry); font-weight: 600; }
.file-list { display: grid; gap: .2rem; }
.file-list .note { display: inline-block; margin-inline-start: .4rem; vertical-align: bottom; }
.file-list .reason { margin-inline-start: .4rem; font-size: .8125rem; }
.change { margin-top: 1rem; border: 1px solid var(--border); border-radius: 8px; overflow: clip; }
.change > h3 {
  display: flex; flex-wrap: wrap; align-items: center; gap: .2rem .7rem; padding: .45rem .8rem; background: var(--raised);
  border-bottom: 1px solid var(--border); position: sticky; top: -1rem; z-index: 1;
}
.change > h3 .kind { margin: 0; }
.added { color: var(--good); font-variant-numeric: tabular-nums; }
.removed { color: var(--bad); font-variant-numeric: tabular-nums; }
.diff table { width: 100%; border-collapse: collapse; table-layout: fixed; font: .78125rem/1.5 var(--mono); }
.diff td { padding: 0; vertical-align: top; }
.diff .hunk td { background: var(--accent-tint); color: var(--dim); padding: .15rem .8rem; }
.col-number { width: 3.6em; }
.col-sign { width: 1.5em; }
.diff .line-number { padding-inline-end: .6em; text-align: end; color: var(--dim); user-select: none; }
.sign { text-align: center; user-select: none; color: var(--dim); }
.diff .code { white-space: pre-wrap; tab-size: 4; padding-inline-end: .6em; }
.line.is-added { background: light-dark(#e5f6ec, #13301f); }
.line.is-removed { background: light-dark(#fdebe9, #3a1d1c); }
.line.is-added .sign { color: var(--good); font-weight: 700; }
.line.is-removed .sign { color: var(--bad); font-weight: 700; }
.line.is-note .code { color: var(--dim); font-style: italic; }
.diff .more { margin: .6rem .8rem; }
.code-comment, .code-quote, .code-deletion { color: light-dark(#5d6b7a, #8a98a8); font-style: italic; }
.code-keyword, .code-selector-tag, .code-literal, .code-section, .code-doctag { color: light-dark(#a3268f, #f08fd6); }
.code-string, .code-regexp, .code-addition, .code-char { color: light-dark(#0b6b34, #8fd694); }
.code-number, .code-symbol, .code-bullet, .code-variable, .code-template-variable { color: light-dark(#8a4b00, #f0b072); }
.code-title, .code-name, .code-selector-id, .code-selector-class { color: light-dark(#1b55b0, #86b7ff); }
.code-type, .code-built_in, .code-class { color: light-dark(#00687a, #6fd0e0); }
.code-attr, .code-attribute, .code-property { color: light-dark(#1a5a8a, #93c7ee); }
.code-meta, .code-tag, .code-punctuation, .code-link { color: light-dark(#586473, #a3b0bf); }
.code-emphasis { font-style: italic; }
.code-strong { font-weight: 700; }
@media (max-width: 40rem) {
  .entry { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .entry-kind { padding-top: 0; }
  .drawer-body { padding: .75rem; }
  .drawer-head { padding: .5rem .75rem; }
  .change > h3 { top: -.75rem; }
  .facts { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .col-number { width: 2.6em; }
  .diff .line-number { padding-inline-end: .3em; }
  .diff table { font-size: .6875rem; }
}
@media print {
  .top, .list-head { position: static; }
  .top nav, .top search, #theme, .zoom, .hint, .more, footer kbd, .drawer-head a, .drawer-head button { display: none; }
  body, .panel, .drawer { background: none; }
  .panel, .failure-card, .tiles { break-inside: avoid; }
  .list-panel { break-inside: auto; }
  .rows { height: auto !important; }
  .row { position: static; break-inside: avoid; }
  .text { max-height: none; }
  body:has(.drawer[open]) > :not(.drawer) { display: none; }
  .drawer { position: absolute; inset: 0; width: 100%; height: auto; box-shadow: none; border: 0; overflow: visible; }
  .drawer::backdrop { display: none; }
  .drawer-frame { display: block; height: auto; }
  .drawer-body { overflow: visible; }
}
`;
