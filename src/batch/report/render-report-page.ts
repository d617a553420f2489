import type { BatchReport } from '../../api/batch-report.js';
import { createContentPolicy } from '../../web/content-policy.js';
import { escapeHtml } from '../../web/escape-html.js';
import { revealInLine } from '../../web/reveal-controls.js';
import { type PageExtras, serializePage } from './page-data.js';
import { readPageScript } from './page-script.js';
import { PAGE_STYLE } from './style/page-style.js';

/**
 * Renders the report as one HTML page that loads nothing: the page opens from a file, without a network. The frame
 * comes before the data, so that a browser can paint it while it still parses a large report. Yields the page in pieces.
 */
export function* renderReportPage(report: BatchReport, extras: PageExtras = {}): Generator<string> {
  const script = readPageScript();
  const name = escapeHtml(revealInLine(report.name));
  const outcome = escapeHtml(report.outcome);
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(createContentPolicy(script, PAGE_STYLE))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${name}: ${outcome}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header class="top">
<h1><span class="outcome is-${outcome}">${outcome}</span> <bdi>${name}</bdi></h1>
<nav id="nav" aria-label="Parts of the report"></nav>
<search><input id="search" type="search" placeholder="Search steps and files  ( / )" aria-label="Search step ids, prompts, texts and file paths" autocomplete="off" spellcheck="false"></search>
<button id="theme" type="button"></button>
</header>
<main id="view" tabindex="-1">
<p>${describeCounts(report)}</p>
<noscript><p>The rest of this report needs JavaScript. The page loads nothing from the network.</p></noscript>
</main>
<footer>
<p>Plan <code>${escapeHtml(revealInLine(report.planHash.slice(0, 16)))}</code></p>
<p><kbd>/</kbd> search <kbd>↑</kbd> <kbd>↓</kbd> move <kbd>Enter</kbd> open <kbd>Esc</kbd> close</p>
</footer>
<dialog id="drawer" class="drawer" aria-labelledby="drawer-title"></dialog>
<div id="news" class="sr-only" role="status"></div>
<script type="application/json" id="report-data">`;
  yield* serializePage(report, extras);
  yield `</script>
<script>${script}</script>
</body>
</html>
`;
}

function describeCounts({ counts }: BatchReport): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${state}`)
    .map(escapeHtml)
    .join(', ');
}
