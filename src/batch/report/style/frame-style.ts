/** Style of the page head, the sections and the overview. */
export const FRAME_STYLE: string = `
.top {
  position: sticky; top: 0; z-index: 5; display: flex; align-items: center; gap: .25rem 1.25rem;
  min-height: var(--top-height); padding: .4rem max(1rem, calc((100vw - 82rem) / 2)); background: var(--surface);
  border-bottom: 1px solid var(--border);
}
.top h1 {
  font-size: 1rem; font-weight: 650; display: flex; align-items: center; gap: .6rem; min-width: 8rem; max-width: 36rem;
}
.top h1 bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.outcome {
  flex: none; font-size: .75rem; font-weight: 650; padding: .1rem .55rem; border-radius: 1rem; color: var(--tone);
  background: var(--tint); border: 1px solid currentColor; text-transform: capitalize;
}
.top nav { display: flex; gap: .25rem; flex: none; }
.top nav a { color: var(--dim); padding: .3rem .65rem; border-radius: 6px; }
.top nav a:hover { background: var(--hover); text-decoration: none; }
.top nav a[aria-current] { color: var(--text); font-weight: 600; background: var(--raised); box-shadow: inset 0 -2px var(--accent); }
.count { color: var(--dim); font-weight: 400; font-size: .8125rem; font-variant-numeric: tabular-nums; margin-inline-start: .1rem; }
.top search { flex: 1 1 14rem; min-width: 7rem; display: flex; justify-content: flex-end; }
#search {
  width: 100%; max-width: 26rem; padding: .35rem .7rem; border: 1px solid var(--border); border-radius: 6px;
  background: var(--page);
}
#theme { flex: none; width: 2.1rem; padding: .25rem 0; line-height: 1.4; }
main, footer { max-width: 84rem; margin: 0 auto; padding: 1rem; }
footer { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem; color: var(--dim); font-size: .8125rem; }
.overview { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); }
.panel { background: var(--surface); border: 1px solid var(--border); border-radius: 8px; padding: .8rem 1rem 1rem; min-width: 0; }
.panel > h2 { margin-bottom: .6rem; }
.panel h3 + .legend { margin-bottom: .4rem; }
.panel-head { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem 1.2rem; margin-bottom: .6rem; }
.tiles {
  display: flex; flex-wrap: wrap; gap: 1px; overflow: hidden;
  background: var(--border); border: 1px solid var(--border); border-radius: 8px;
}
.tile { flex: 1 1 10.5rem; min-width: 0; background: var(--surface); padding: .65rem 1rem .7rem; }
.tile dt { color: var(--dim); font-size: .8125rem; }
.tile-value { font-size: 1.375rem; font-weight: 600; line-height: 1.3; font-variant-numeric: tabular-nums; }
.tile-note { color: var(--dim); font-size: .8125rem; }
.tile a { text-decoration: underline; }
.banner {
  display: flex; gap: .3rem; padding: .6rem .9rem; border-radius: 8px; margin-top: .75rem; background: var(--tint, var(--raised));
  border: 1px solid var(--border); border-inline-start: 4px solid var(--tone, var(--idle));
}
.banner .icon { margin-top: .15rem; }
.banner.is-conflict .icon { --tone: var(--bad); }
.banner.is-sensitive .icon { --tone: var(--retry); }
.tile-note .is-warning { color: var(--retry); }
.states { margin-top: .75rem; }
.state-bar { display: flex; gap: 2px; height: .6rem; border-radius: 4px; overflow: hidden; margin-bottom: .5rem; }
.state-part { background: var(--tone); min-width: 3px; }
.state-part.is-failed { background: repeating-linear-gradient(45deg, var(--tone) 0 4px, var(--tint) 4px 6px); }
.state-part.is-skipped { background: repeating-linear-gradient(135deg, var(--tone) 0 2px, var(--tint) 2px 6px); }
.state-part.is-pending { background: var(--tint); box-shadow: inset 0 0 0 1px var(--tone); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; font-size: .8125rem; color: var(--dim); align-items: center; }
.legend a { color: inherit; }
.legend strong { color: var(--text); }
.more { margin-top: .6rem; font-size: .8125rem; }
.failure-card + .failure-card, .skipped + .skipped { border-top: 1px solid var(--border-soft); margin-top: .8rem; padding-top: .8rem; }
.failure-card h3, .skipped h3 { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .5rem; }
.failure-card h3 .icon, .skipped h3 .icon { align-self: center; margin-inline-end: 0; }
.skipped h3 { font-weight: 400; }
.failure { margin-top: .3rem; display: grid; gap: .25rem; grid-template-columns: minmax(0, 1fr); }
.failure-message code { color: var(--bad); font-weight: 600; }
.failure-hint { border-inline-start: 3px solid var(--accent); padding-inline-start: .6rem; }
.problems { list-style: disc; padding-inline-start: 1.2rem; }
summary { cursor: pointer; color: var(--dim); width: fit-content; }
.names { display: flex; flex-wrap: wrap; gap: .15rem .9rem; margin-top: .15rem; }
.warning { display: flex; }
.warning + .warning { margin-top: .6rem; }
.bars { display: grid; gap: .3rem; margin: .4rem 0 .9rem; }
.bar-row { display: grid; grid-template-columns: minmax(8rem, 22rem) minmax(0, 1fr) 4rem; gap: .8rem; align-items: center; }
.bar-name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.bar-value { text-align: end; font-variant-numeric: tabular-nums; position: relative; }
.bar-track { display: flex; height: .7rem; border-radius: 3px; overflow: hidden; background: var(--raised); }
.bar-part { min-width: 1px; }
.dot { display: inline-block; width: .8rem; height: .8rem; border-radius: 3px; margin-inline-end: .4rem; vertical-align: -.1em; }
.part-fresh { background: light-dark(#3f7fd6, #5f9df0); }
.part-cached { background: repeating-linear-gradient(135deg, light-dark(#9cc0ef, #35557f) 0 3px, light-dark(#c9dcf6, #28405f) 3px 6px); }
.part-output { background: light-dark(#d17b2a, #e39a52); }
.part-other { background: repeating-linear-gradient(45deg, light-dark(#8a63c9, #a98be0) 0 3px, light-dark(#c4b0e6, #5d4788) 3px 6px); }
.model-0 { background: light-dark(#2a9187, #4fb8ad); }
.model-1 { background: repeating-linear-gradient(90deg, light-dark(#b8506e, #dd7f9c) 0 4px, light-dark(#dd9db0, #8f4a61) 4px 6px); }
.model-2 { background: light-dark(#7a6a1f, #c8b560); }
.model-3 { background: repeating-linear-gradient(45deg, light-dark(#4a5fb0, #8fa3ee) 0 3px, light-dark(#aab5dd, #47548c) 3px 6px); }
.model-4 { background: light-dark(#8b5a3c, #c99a78); }
.model-5 { background: repeating-linear-gradient(135deg, light-dark(#4f7d3a, #93c47a) 0 3px, light-dark(#b4cfa6, #46663a) 3px 6px); }
`;
