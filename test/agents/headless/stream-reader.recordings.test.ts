import { describe, expect, it } from 'vitest';
import { StreamReader } from '../../../src/agents/headless/stream-reader.js';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import { loadRecording, recordingNames } from '../../fixtures/recordings.js';

function readInPieces(stdout: Buffer, size: number) {
  const reader = new StreamReader();
  const events: AgentEvent[] = [];
  for (let at = 0; at < stdout.length; at += size) {
    events.push(...reader.push(stdout.subarray(at, at + size)));
  }
  events.push(...reader.end());
  const { terminal, wireEvents, noise, isTorn } = reader;
  return { events, terminal, wireEvents, noise, isTorn };
}

describe('a recorded stream', () => {
  it.each(recordingNames)('gives the same events byte by byte: %s', (name) => {
    const { stdout } = loadRecording(name);
    expect(readInPieces(stdout, 1)).toEqual(readInPieces(stdout, stdout.length + 1));
  });

  it.each(recordingNames)('has no noise: %s', (name) => {
    const { events, noise, isTorn } = readInPieces(loadRecording(name).stdout, 64 * 1024);
    expect(events.filter(({ type }) => type === 'unknown')).toEqual([]);
    expect(noise.unknownEvents + noise.invalidEvents + noise.overlongLines).toBe(0);
    expect(noise.nonJsonLines).toBe(isTorn ? 1 : 0);
  });

  it('is torn if output was lost in a pipe', () => {
    const torn = recordingNames.filter(
      (name) => readInPieces(loadRecording(name).stdout, 4096).isTorn,
    );
    expect(torn).toContain('truncated_stdout_exit0');
    expect(torn).not.toContain('success_write');
  });
});
