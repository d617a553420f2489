import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder, openLab } from './support.js';
import { writing } from './tool-calls.js';

const LINES = ['first-line-of-the-key-0123', 'second-line-of-the-key-4567', 'x9=='];
const env = { MULTI_TOKEN: LINES.join('\n'), DB_PASS: 'pass-of-the-db', PIN: '4711' };
const UNSEEN = /line-of-the-key|x9==|pass-of-the-db|4711|cGFzcy1vZi10aGUtZGI/;

it.each(['headless', 'acp'] as const)(
  'a failed step (%s) has no secret in its error and artifacts, in diffs, encoded, or in pieces (claim: secrets-hidden)',
  async (transport) => {
    const encoded = Buffer.from(env.DB_PASS).toString('base64');
    const lab = await openLab([
      writing('key.txt', `${LINES.join('\n')}\n`),
      {
        text: [
          'It is pass-',
          'of-the',
          '-db, pin 4',
          '711, ',
          encoded.slice(0, 9),
          encoded.slice(9),
        ],
      },
    ]);
    const keep = makeFolder();
    const error = await lab.fail('go', {
      transport,
      env: { ...lab.model.env, ...env },
      secrets: ['PIN'],
      expects: { files: ['missing.txt'] },
      keepArtifacts: keep,
    });
    expect(error.partial?.files).toMatchObject([{ path: 'key.txt' }]);
    expect(error.partial?.files[0]?.diff).toContain('[redacted]');
    expect(error.partial?.text).toBe('It is [redacted], pin [redacted], [redacted]');
    expect(JSON.stringify(error)).not.toMatch(UNSEEN);
    const [folder = ''] = readdirSync(keep);
    const recording = join(keep, folder, 'stdout.ndjson');
    expect(existsSync(recording)).toBe(transport === 'headless');
    if (transport === 'acp') return;
    const events = readFileSync(recording, 'utf8').trim().split('\n');
    const deltas = events.map((line) => JSON.parse(line)).filter(({ delta }) => delta === true);
    expect(deltas.length).toBeGreaterThan(3);
    expect(deltas.map(({ content }) => content).join('')).toBe(error.partial?.text);
    expect(events.join('')).not.toMatch(UNSEEN);
  },
);
