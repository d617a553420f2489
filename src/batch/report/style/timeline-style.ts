export const TIMELINE_STYLE: string = `
.zoom { margin-inline-start: auto; display: flex; gap: .25rem; }
.zoom button { min-width: 2rem; padding: .1rem .5rem; }
.swatch { width: 22px; height: 12px; margin-inline-end: .4rem; vertical-align: -.1em; }
.swatch.is-small { width: 10px; }
.timeline { position: relative; display: flex; }
.timeline-names { flex: none; width: 1.6rem; color: var(--dim); font-size: .75rem; }
.timeline-names span { display: block; height: var(--lane-height); line-height: var(--lane-height); }
.timeline-names.is-workers { width: clamp(4.5rem, 12%, 10rem); padding-inline-end: .5rem; }
.timeline-names.is-workers span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.timeline-scroll { flex: 1; min-width: 0; overflow-x: auto; overflow-y: hidden; padding-bottom: 2px; }
.timeline-scroll > svg { display: block; overflow: visible; }
.timeline-scroll > svg.is-over { cursor: pointer; }
.timeline-lane { fill: var(--raised); }
.grid { stroke: var(--border); stroke-width: 1; fill: none; }
.tick { fill: var(--dim); font-size: 11px; font-variant-numeric: tabular-nums; }
.bar { fill: var(--tint); stroke: var(--tone); stroke-width: 1; stroke-linejoin: round; }
.bar.is-failed { stroke-width: 1.5; }
.bar.is-narrow { fill: var(--tone); stroke: none; }
.bar.is-narrow.is-succeeded { opacity: .6; }
.bar.is-cancelled, .bar.is-interrupted { stroke-dasharray: 3 2; }
.bar.is-running { stroke-dasharray: 4 2; }
.bar-wait { fill: var(--idle); opacity: .55; }
.bar-queue { fill: var(--idle); opacity: .55; }
.bar-merge { fill: var(--accent); }
.bar-pattern { stroke: none; opacity: .5; }
.pattern-line { stroke: var(--tone); stroke-width: 1.2; fill: none; }
.pattern-line.is-interrupted { fill: var(--tone); stroke: none; }
.bar-labels { font: 11px var(--sans); fill: var(--text); pointer-events: none; }
.bar-labels text { paint-order: stroke; stroke: var(--surface); stroke-width: 3px; stroke-opacity: .85; stroke-linejoin: round; }
.repair { fill: var(--repair); }
.retry-line { fill: none; stroke: var(--retry); stroke-width: 1.25; stroke-dasharray: 3 2; pointer-events: none; }
.retry-line.is-strong { stroke-width: 2; stroke-dasharray: none; }
.step-bars { fill: none; stroke: var(--accent); stroke-width: 2; pointer-events: none; }
.break rect { fill: var(--surface); }
.break .tick { text-anchor: middle; }
.break path { fill: none; stroke: var(--idle); stroke-width: 1; }
.timeline-item rect { fill: transparent; }
.timeline-item:focus { outline: none; }
.timeline-item:focus-visible rect { stroke: var(--accent); stroke-width: 3; }
.tip {
  position: absolute; z-index: 3; display: grid; gap: .1rem; max-width: min(26rem, 100%); padding: .45rem .65rem; pointer-events: none;
  background: var(--surface); border: 1px solid var(--border); border-radius: 6px; font-size: .8125rem;
  box-shadow: 0 4px 16px rgb(0 0 0 / .18);
}
.tip[hidden] { display: none; }
.tip-outcome { color: var(--tone); font-weight: 600; }
.tip-message { display: -webkit-box; -webkit-line-clamp: 3; -webkit-box-orient: vertical; overflow: hidden; }
.hint { font-size: .8125rem; margin-top: .3rem; }
`;
