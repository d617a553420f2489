/** Style of filters and long lists. */
export const LIST_STYLE: string = `
.list-panel { padding: 0; }
.list-head {
  position: sticky; top: var(--top-height); z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: .4rem 1rem;
  padding: .6rem 1rem 0; background: var(--surface); border-bottom: 1px solid var(--border); border-radius: 8px 8px 0 0;
}
.columns {
  flex: 1 0 100%; display: grid; column-gap: .8rem; color: var(--dim); font-size: .75rem; padding-bottom: .25rem;
}
.row-tokens-title { text-align: end; }
.filters { display: flex; flex-wrap: wrap; gap: .3rem; }
.chip { color: var(--text); border: 1px solid var(--border); border-radius: 1rem; padding: .1rem .7rem; white-space: nowrap; }
.chip:hover { background: var(--hover); text-decoration: none; }
.chip[aria-current] { background: var(--accent-tint); border-color: var(--accent); font-weight: 600; }
.chip .icon { width: .85rem; height: .85rem; margin-inline-end: .3rem; vertical-align: -.12em; }
.order { margin-inline-start: auto; color: var(--dim); }
.order select { color: var(--text); }
.rows { position: relative; }
.row { position: absolute; inset-inline: 0; height: var(--row-height); border-bottom: 1px solid var(--border-soft); }
.row > a {
  height: 100%; padding: 0 1rem; color: inherit; display: grid; align-items: center; align-content: center; column-gap: .8rem;
}
.row > a:hover { background: var(--hover); text-decoration: none; }
.row > a:focus-visible { outline-offset: -2px; background: var(--hover); }
.row .icon { margin: 0; }
.step-row { grid-template-columns: 1rem minmax(0, 1fr) 3rem 12rem 6.5rem; }
.file-row { grid-template-columns: 1.25rem minmax(0, 1fr) minmax(4rem, 18rem) 5rem; }
.row-name { display: flex; align-items: center; gap: .5rem; min-width: 0; }
.row-notes { display: flex; gap: .4rem; min-width: 0; overflow: hidden; flex: 0 1 auto; }
.row-name > bdi { flex: 0 1 auto; }
.clip { direction: rtl; text-align: left; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.row-name > bdi, .row-steps { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.row-files { color: var(--dim); text-align: end; white-space: nowrap; }
.row-tokens { display: grid; grid-template-columns: minmax(0, 1fr) 3.6rem; gap: .5rem; align-items: center; text-align: end; position: relative; }
.row-tokens .bar-track { height: .45rem; }
@media (min-width: 40.01rem) { .row-tokens .unit { position: absolute; clip-path: inset(50%); } }
@media (max-width: 60rem) {
  .step-row { grid-template-columns: 1rem minmax(0, 1fr) 3rem 4rem 6rem; }
  .row-tokens { display: block; }
  .row-tokens .bar-track { display: none; }
}
.row-duration, .row-bytes { text-align: end; white-space: nowrap; }
.row-snippet { grid-column: 2 / -1; color: var(--dim); font-size: .8125rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.note {
  flex: 0 1 auto; min-width: 3rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: .75rem; font-weight: 400; line-height: 1.5;
  padding: 0 .45rem; border-radius: 4px; background: var(--raised); color: var(--dim); font-family: var(--sans);
}
.note.is-bad { background: var(--bad-tint); color: var(--bad); }
.note.is-retry, .note.is-warning { background: var(--retry-tint); color: var(--retry); }
.note.is-repair { color: var(--repair); }
.kind {
  display: inline-block; flex: none; width: 1.25rem; height: 1.25rem; line-height: 1.25rem; text-align: center; border-radius: 4px;
  font: 600 .75rem/1.25rem var(--mono); background: var(--idle-tint); color: var(--idle); margin-inline-end: .35rem;
}
.row .kind { margin: 0; }
.chip .kind { width: 1rem; height: 1rem; line-height: 1rem; font-size: .6875rem; }
.kind.is-created { background: var(--good-tint); color: var(--good); }
.kind.is-modified { background: var(--accent-tint); color: var(--accent); }
.kind.is-deleted { background: var(--bad-tint); color: var(--bad); }
.folder { color: var(--dim); }
.empty { padding: 1rem; color: var(--dim); }
@media (max-width: 40rem) {
  :root { --top-height: 0px; }
  .top { position: static; flex-wrap: wrap; padding: .6rem .75rem; }
  .top h1 { max-width: none; flex: 1; order: 0; } #theme { order: 1; } .top search { order: 2; flex-basis: 100%; } #search { max-width: none; }
  .top nav { order: 3; flex: 1 1 100%; }
  .top nav a { flex: 1; text-align: center; }
  main { padding: .75rem; }
  .tile { flex-basis: 40%; padding: .5rem .75rem; }
  .tile-value { font-size: 1.125rem; }
  .panel:not(.list-panel) { padding: .7rem .75rem; }
  .bar-row { grid-template-columns: minmax(0, 1fr) 4rem; gap: .1rem .6rem; }
  .bar-row .bar-track { grid-row: 2; grid-column: 1 / -1; }
  .list-head { position: static; padding: .5rem .75rem; }
  .columns { display: none; }
  .order { margin-inline-start: 0; }
  .row > a { padding: 0 .75rem; column-gap: .6rem; row-gap: .1rem; }
  .step-row { grid-template-columns: 1rem minmax(0, 1fr) auto auto; }
  .step-row .icon { grid-row: 1; }
  .step-row .row-name { display: contents; }
  .step-row .row-name > bdi { grid-column: 2 / -1; grid-row: 1; }
  .step-row .row-notes { grid-column: 2; grid-row: 2; flex-wrap: wrap; row-gap: 1rem; max-height: 1.25rem; }
  .step-row .note { max-width: 100%; }
  .step-row .row-tokens { grid-column: 3; grid-row: 2; display: block; font-size: .8125rem; color: var(--dim); }
  .step-row .row-duration { grid-column: 4; grid-row: 2; font-size: .8125rem; }
  .step-row .row-files, .step-row .bar-track { display: none; }
  .file-row { grid-template-columns: 1.25rem minmax(0, 1fr) auto; }
  .file-row .row-name { grid-column: 2 / -1; }
  .file-row .row-steps { grid-column: 2; grid-row: 2; font-size: .8125rem; }
  .file-row .row-bytes { grid-column: 3; grid-row: 2; font-size: .8125rem; color: var(--dim); }
}
`;
