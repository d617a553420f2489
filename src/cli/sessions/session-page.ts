import type { Session } from '../../api/session.js';
import type { UnifiedMessage } from '../../api/unified-message.js';
import { cleanName, cleanText } from '../../base/text/clean-text.js';
import { countOf } from '../../base/text/count-of.js';
import { type CallLine, callLines } from '../../sessions/transcript/call-line.js';
import { BASE_STYLE } from '../../web/base-style.js';
import { createContentPolicy } from '../../web/content-policy.js';
import { escapeHtml } from '../../web/escape-html.js';

const STYLE = `${BASE_STYLE}
main { max-width: 56rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.25rem; font-weight: 650; }
article { margin-top: 1rem; padding: .75rem 1rem; background: var(--surface); border: 1px solid var(--border); border-radius: 8px; }
article.user { border-inline-start: 4px solid var(--accent); }
article.assistant { border-inline-start: 4px solid var(--good); }
article.system { border-inline-start: 4px solid var(--retry); }
pre { margin-top: .5rem; white-space: pre-wrap; }
pre.thought { color: var(--dim); font-style: italic; }
pre.diff { padding: .5rem; background: var(--raised); border-radius: 6px; white-space: pre; overflow-x: auto; }
ul.calls { margin-top: .5rem; }
.failed { color: var(--bad); }
`;

/**
 * Writes a session as one HTML file that loads nothing and runs nothing: every text is escaped, and the content security
 * policy allows the style alone. Returned in pieces, because a whole session may not fit into one string.
 */
export function* renderSessionPage(
  { header }: Session,
  messages: readonly UnifiedMessage[],
): Generator<string, void> {
  const title = cleanName(header?.summary ?? `Session ${header?.sessionId ?? 'without a name'}`);
  const facts = [header?.sessionId, header?.startTime, countOf(messages.length, 'message')];
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(createContentPolicy('', STYLE))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p class="dim">${escapeHtml(cleanName(facts.filter((fact) => fact !== undefined).join(' · ')))}</p>
`;
  for (const message of messages) yield renderMessage(message);
  yield '</main>\n</body>\n</html>\n';
}

const NAMES = { user: 'User', assistant: 'Gemini', system: 'System' } as const;

function renderMessage(message: UnifiedMessage): string {
  const { role, timestamp, model, usage, mark, level } = message;
  const facts = [
    timestamp === undefined ? undefined : new Date(timestamp).toISOString(),
    model,
    usage === undefined ? undefined : countOf(usage.total_tokens, 'token'),
    mark,
    level,
  ].filter((fact) => fact !== undefined);
  const calls = callLines(message).map(renderCall).join('');
  return [
    `<article class="${role}">`,
    `<h2>${NAMES[role]} <span class="dim">${escapeHtml(cleanName(facts.join(' · ')))}</span></h2>`,
    ...message.content.flatMap((block) => {
      if (block.type === 'thinking')
        return [`<pre class="thought">${toHtml(block.thinking)}</pre>`];
      if (block.type === 'text') return [`<pre>${toHtml(block.text.trim())}</pre>`];
      return block.type === 'image'
        ? [`<p class="dim">[${toHtml(block.source.media_type)}]</p>`]
        : [];
    }),
    ...(calls === '' ? [] : [`<ul class="calls">${calls}</ul>`]),
    '</article>\n',
  ].join('\n');
}

const SIGNS = { done: '✓', failed: '✗', open: '→' } as const;

function renderCall({ name, subject, outcome, lines, diff, reason }: CallLine): string {
  const stat =
    lines === undefined ? '' : ` <span class="dim">+${lines.added} −${lines.removed}</span>`;
  const why = reason === undefined ? '' : ` <span class="failed">${toHtml(reason)}</span>`;
  const change =
    diff === undefined || diff.trim() === ''
      ? ''
      : `<details><summary>Diff</summary><pre class="diff">${toHtml(diff.trimEnd())}</pre></details>`;
  return `<li class="${outcome}">${SIGNS[outcome]} <b>${toHtml(cleanName(name))}</b> <code>${toHtml(subject)}</code>${stat}${why}${change}</li>`;
}

function toHtml(text: string): string {
  return escapeHtml(cleanText(text));
}
