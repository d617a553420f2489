import { describe, expect, it } from 'vitest';
import { TurnFold } from '../../../src/agents/events/turn-fold.js';
import { collectHeadlessFindings } from '../../../src/agents/headless/headless-findings.js';
import { parseJsonOutput } from '../../../src/agents/headless/json-output.js';
import { StreamReader } from '../../../src/agents/headless/stream-reader.js';

const RESULT = '{"type":"result","status":"success","stats":{"total_tokens":5,"models":{}}}\n';

function read(stdout: string): StreamReader {
  const reader = new StreamReader();
  reader.push(Buffer.from(stdout));
  reader.end();
  return reader;
}

function collect(reader: StreamReader, more: { stderr?: string; json?: string } = {}) {
  const { stderr = '', json } = more;
  const exit = { exitCode: 0, stderr };
  const parsed = json === undefined ? undefined : parseJsonOutput(json, stderr);
  return collectHeadlessFindings({ exit, reader, json: parsed, fold: new TurnFold() });
}

describe('the findings of a headless turn', () => {
  it('are plain data', () => {
    const findings = collect(read(RESULT));
    expect(findings).toMatchObject({
      transport: 'headless',
      facts: { exitCode: 0, stderr: '', wireEvents: 1, foreignLines: 0, isTorn: false },
      usage: { total: 5 },
      isUsageComplete: true,
      warnings: [],
    });
    expect(structuredClone(findings)).toEqual(findings);
  });

  it('have stderr without terminal codes', () => {
    expect(collect(read(''), { stderr: '\u001b[31mred\u001b[0m' }).facts.stderr).toBe('red');
  });

  it('are incomplete if the stream has no tokens, so that the session file can supply them', () => {
    expect(collect(read(RESULT.replace('5', '0')))).toMatchObject({ isUsageComplete: false });
    expect(collect(read(''))).toMatchObject({ usage: undefined, isUsageComplete: false });
  });

  it('do not count the lines of -o json as noise', () => {
    const json = '{\n"response": "Hi",\n"stats": {"models": {"m": {"tokens": {"total": 3}}}}\n}';
    const findings = collect(read(json), { json });
    expect(findings).toMatchObject({ facts: { wireEvents: 1, foreignLines: 0 }, warnings: [] });
    expect(collect(read(json)).warnings).toMatchObject([{ code: 'NON_JSON_OUTPUT' }]);
  });
});
