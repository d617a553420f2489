/** Style that every page shares: colours, type and basic elements. */
export const BASE_STYLE: string = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f4f6f8, #0e1318);
  --surface: light-dark(#ffffff, #161c23);
  --raised: light-dark(#f4f6f8, #1d252e);
  --hover: light-dark(#edf1f6, #212a34);
  --border: light-dark(#d8dee6, #2b3541);
  --border-soft: light-dark(#e8ecf1, #222b35);
  --text: light-dark(#1a2230, #dfe5ec);
  --dim: light-dark(#56616f, #97a4b3);
  --accent: light-dark(#1d5fbf, #79b0ff);
  --good: light-dark(#16794a, #4ec78d);
  --bad: light-dark(#c02a2a, #ff8078);
  --retry: light-dark(#965f00, #e8b44c);
  --repair: light-dark(#7440b5, #c09bff);
  --idle: light-dark(#5f6b7a, #94a1b1);
  --good-tint: light-dark(#d9f0e3, #17382a);
  --bad-tint: light-dark(#fbe1df, #46211f);
  --retry-tint: light-dark(#faecc9, #3d301a);
  --idle-tint: light-dark(#e6eaef, #29323d);
  --accent-tint: light-dark(#e1ecfb, #182c47);
  --mark: light-dark(#ffe58a, #6b5512);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --top-height: 3.25rem;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
*, *::before, *::after { box-sizing: border-box; }
html { scroll-padding-top: calc(var(--top-height) + 4.75rem); scroll-padding-bottom: 1rem; overflow-y: scroll; }
body { margin: 0; background: var(--page); color: var(--text); font: .875rem/1.45 var(--sans); overflow-wrap: anywhere; }
h1, h2, h3, p, ul, ol, dl, dd, pre { margin: 0; padding: 0; font: inherit; }
ul, ol { list-style: none; }
h2 { font-size: .9375rem; font-weight: 650; }
h3 { font-size: .8125rem; font-weight: 650; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
code, kbd, pre, .name, .path { font-family: var(--mono); font-size: .9286em; }
button, select, input { font: inherit; color: inherit; }
button, select, .move {
  background: var(--surface); border: 1px solid var(--border); border-radius: 6px; padding: .2rem .55rem; cursor: pointer;
}
button:hover, .move[href]:hover { background: var(--hover); text-decoration: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; border-radius: 4px; }
main:focus, h2:focus { outline: none; }
mark { background: var(--mark); color: var(--text); border-radius: 2px; }
kbd { border: 1px solid var(--border); border-radius: 4px; padding: 0 .3rem; background: var(--surface); }
.dim { color: var(--dim); font-weight: 400; }
.is-bad { color: var(--bad); }
.number { font-variant-numeric: tabular-nums; }
.sr-only {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
.patterns { position: absolute; width: 0; height: 0; }
.icon { width: 1rem; height: 1rem; flex: none; vertical-align: -.19em; margin-inline-end: .4rem; }
.icon-outline { fill: var(--tone, var(--idle)); }
.icon-sign { fill: none; stroke: var(--surface); stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.icon.is-pending .icon-outline { fill: none; stroke: var(--tone); stroke-width: 1.5; stroke-dasharray: 2.6 1.6; }
.icon.is-pending .icon-sign { stroke: var(--tone); stroke-width: 1.5; }
.is-succeeded { --tone: var(--good); --tint: var(--good-tint); }
.is-failed, .is-conflict { --tone: var(--bad); --tint: var(--bad-tint); }
.is-retried, .is-warning, .is-stopped { --tone: var(--retry); --tint: var(--retry-tint); }
.is-running, .is-merging { --tone: var(--accent); --tint: var(--accent-tint); }
.is-skipped, .is-cancelled, .is-pending, .is-interrupted { --tone: var(--idle); --tint: var(--idle-tint); }
`;
