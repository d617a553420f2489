import { fstatSync, readSync } from 'node:fs';
import { z } from 'zod';
import type { AgentEvent } from '../../api/agent-event.js';
import { readOpenedFile } from '../../base/fs/read-opened-file.js';
import { isObject } from '../../base/json/is-object.js';
import { parseJsonLine } from '../../base/ndjson/parse-json-line.js';

/** The end of a file of events that is read: enough for the last events of a step. */
const TAIL_BYTES = 64 * 1024;

const agentEvent = z.custom<AgentEvent>((value) => {
  return isObject(value) && typeof value['type'] === 'string';
});

/** Part of a file of events, and the position up to which the file has been read. */
export interface ReadEvents {
  readonly events: readonly AgentEvent[];
  readonly position: number;
}

/**
 * Reads events of a running step from a position on, or the last ones. A half-written line stays for the next call. The
 * file lies where agents may write: its events are shown, and nothing depends on them.
 */
export function readEvents(file: string, from?: number): ReadEvents {
  const nothing = { events: [], position: from ?? 0 };
  const read = readOpenedFile(file, (fd): ReadEvents => {
    const { size } = fstatSync(fd);
    const start = Math.max(from ?? 0, size - TAIL_BYTES);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    const length = readSync(fd, bytes, 0, bytes.length, start);
    const end = bytes.subarray(0, length).lastIndexOf('\n') + 1;
    const lines = bytes.toString('utf8', 0, end).split('\n');
    const events = lines.flatMap((line) => agentEvent.safeParse(parseJsonLine(line)).data ?? []);
    return { events, position: start + end };
  });
  return read ?? nothing;
}
