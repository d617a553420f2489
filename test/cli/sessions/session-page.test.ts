import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addSessionsCommand } from '../../../src/cli/sessions/sessions.js';
import { runCommandHere } from '../../fixtures/cli/in-process.js';
import { makeFolder } from '../../fixtures/cli/support.js';
import { lines } from '../../sessions/files/session-text.js';

const TIME = '2026-11-16T00:00:00.000Z';
/** Markup, a script, terminal sequences (also in C1 controls), and marks that reorder a line. */
const HOSTILE = [
  '</pre></script><script>alert(1)</script>',
  `"><img src=x onerror='alert(2)'>`,
  '&lt;b&gt; <!-- ]]>',
  '\u001b[31mred\u001b]8;;https://evil.example\u0007link\u009b2Jgone\u0000',
  'abc\u202edcba\u2066x\u2069\u200f\u2028end \ud800',
].join(' ');
/** What a reader sees of it. */
const SHOWN = [
  '&lt;/pre&gt;&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;',
  '&quot;&gt;&lt;img src=x onerror=&#39;alert(2)&#39;&gt;',
  '&amp;lt;b&amp;gt; &lt;!-- ]]&gt;',
  'redlinkgone',
  'abcdcbaxend \ufffd',
].join(' ');

async function exportPage(header: object, ...records: readonly object[]): Promise<string> {
  const folder = makeFolder({ 's.jsonl': lines({ projectHash: 'x', ...header }, ...records) });
  const out = join(folder, 'page.html');
  const source = ['--file', join(folder, 's.jsonl')];
  const flags = ['--format', 'html', '--extras', '--out', out];
  const args = ['sessions', 'export', ...source, ...flags];
  expect(await runCommandHere(addSessionsCommand, args)).toMatchObject({ stdout: '' });
  return readFileSync(out, 'utf8');
}

describe('sessions export --format html', () => {
  it('shows hostile text as text, wherever it stands', async () => {
    const resultDisplay = { fileDiff: HOSTILE, diffStat: { model_added_lines: 1 } };
    const failed = [{ functionResponse: { id: 'd', response: { error: HOSTILE } } }];
    const args = { file_path: HOSTILE };
    const page = await exportPage(
      { sessionId: HOSTILE, summary: HOSTILE, startTime: HOSTILE },
      { id: 'q', type: 'user', timestamp: TIME, content: [{ text: HOSTILE }] },
      {
        id: 'a',
        type: 'gemini',
        timestamp: TIME,
        model: HOSTILE,
        content: HOSTILE,
        thoughts: [{ subject: HOSTILE, description: HOSTILE }],
        toolCalls: [
          { id: 'c', name: HOSTILE, args, status: 'success', result: [], resultDisplay },
          { id: 'd', name: 'read_file', args, status: 'error', result: failed },
        ],
        tokens: { input: 1, output: 1, total: 2 },
      },
      { id: 'w', type: 'warning', timestamp: TIME, content: HOSTILE },
    );
    expect(page.match(/<(?!\/)[a-z!][^\s>]*/gi)).toEqual([
      ...['<!doctype', '<html', '<head', '<meta', '<meta', '<meta', '<title', '<style', '<body'],
      ...['<main', '<h1', '<p'],
      ...['<article', '<h2', '<span', '<pre'],
      ...['<article', '<h2', '<span', '<pre', '<pre'],
      ...['<ul', '<li', '<b', '<code', '<span', '<details', '<summary', '<pre'],
      ...['<li', '<b', '<code', '<span'],
      ...['<article', '<h2', '<span', '<pre'],
    ]);
    expect(page).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
    for (const place of [
      `<title>${SHOWN}</title>`,
      `<pre>${SHOWN}</pre>`,
      `<pre class="thought">${SHOWN}: ${SHOWN}</pre>`,
      `<pre class="diff">${SHOWN}</pre>`,
      `<b>${SHOWN}</b>`,
    ]) {
      expect(page).toContain(place);
    }
  });

  it('allows its own style and nothing else', async () => {
    const page = await exportPage({ sessionId: 's' }, { id: 'q', type: 'user', content: 'Hi' });
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(page) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page).toContain('default-src &#39;none&#39;');
    expect(page).toContain(`style-src &#39;sha256-${hash}&#39;`);
    expect(page).not.toMatch(/\s(?:src|href)=|url\(|@import/);
  });

  it('has the outcome of calls, images, and a name for a session without one', async () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'AA==' } };
    const call = { name: 'run_shell_command', args: { command: 'ls' } };
    const page = await exportPage(
      {},
      { id: 'q', type: 'user', content: [{ text: 'See' }, image] },
      { id: 'a', type: 'gemini', content: '', toolCalls: [{ id: 'c', ...call }] },
    );
    expect(page).toContain('<h1>Session without a name</h1>');
    expect(page).toContain('<p class="dim">[image/png]</p>');
    expect(page).toContain('<li class="open">→ <b>Bash</b> <code>ls</code></li>');
  });
});
