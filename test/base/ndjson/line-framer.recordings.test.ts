import { describe, expect, it } from 'vitest';
import { LineFramer } from '../../../src/base/ndjson/line-framer.js';
import { loadRecording, recordingNames } from '../../fixtures/recordings.js';

/** Largest recording that is cut at every byte. */
const EVERY_BYTE_UP_TO = 4 * 1024;
const MOST_CUTS = 100;
/** Number of first lines at whose ends a larger recording is cut. More cuts would take too long. */
const LINE_ENDS = 20;

function linesOf(chunks: readonly Buffer[]): string[] {
  const lines: string[] = [];
  const framer = new LineFramer({ onLine: (line) => lines.push(line) });
  for (const chunk of chunks) framer.push(chunk);
  framer.end();
  return lines;
}

function cutsOf(bytes: Buffer): number[] {
  if (bytes.length <= EVERY_BYTE_UP_TO) {
    return Array.from({ length: bytes.length + 1 }, (_, index) => index);
  }
  const lengths = bytes.toString('latin1').split('\n', LINE_ENDS);
  let end = -1;
  const aroundEnds = lengths.flatMap(({ length }) => {
    end += length + 1;
    return [end - 1, end, end + 1];
  });
  const spread = Array.from({ length: MOST_CUTS }, (_, index) => {
    return Math.round((index * bytes.length) / MOST_CUTS);
  });
  return [...aroundEnds, ...spread];
}

describe('a recorded stream cut in two', () => {
  it.each(recordingNames)('gives the same lines for any cut: %s', (name) => {
    const { stdout } = loadRecording(name);
    const whole = stdout.toString('utf8').split('\n').filter(Boolean);
    // Compare the strings here: `expect` would take a thousand times as long.
    const bad = cutsOf(stdout).filter((at) => {
      const lines = linesOf([stdout.subarray(0, at), stdout.subarray(at)]);
      return lines.length !== whole.length || lines.some((line, index) => line !== whole[index]);
    });
    expect(bad).toEqual([]);
  });
});
