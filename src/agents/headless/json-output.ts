import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import type { AgentEvent } from '../../api/agent-event.js';
import { parseJsonLine } from '../../base/ndjson/parse-json-line.js';
import type { WireResult, WireStats } from './headless-wire.js';

/** Schemas of `--output-format json`: one object at the end. A CLI before 0.11 has no other readable output. */
const count = z.number().optional();
const tokens = z.looseObject({
  prompt: count,
  candidates: count,
  total: count,
  cached: count,
  thoughts: count,
  tool: count,
});
const model = z.looseObject({
  tokens: tokens.optional(),
  api: z.looseObject({ totalErrors: count }).optional(),
});
const error = z.looseObject({
  type: z.string(),
  message: z.string(),
  code: z.union([z.number(), z.string()]).optional(),
});
const output = z.looseObject({
  session_id: z.string().optional(),
  response: z.string().nullish(),
  stats: z
    .looseObject({
      models: z.record(z.string(), model).optional(),
      tools: z.looseObject({ totalCalls: count }).optional(),
    })
    .optional(),
  error: error.optional(),
  warnings: z.array(z.string()).optional(),
});

export interface JsonOutput {
  readonly sessionId: string | undefined;
  readonly text: string;
  readonly warnings: readonly string[];
  /** Result in the shape of the event that ends a stream. */
  readonly terminal: WireResult;
}

/** Parses stdout or, after a failure, stderr: the CLI prints its error there as JSON among other lines. */
export function parseJsonOutput(stdout: string, stderr: string): JsonOutput | undefined {
  const parsed = output.safeParse(findJson(stdout) ?? findJson(stripVTControlCharacters(stderr)));
  if (!parsed.success) return undefined;
  const { session_id: sessionId, response, stats, warnings } = parsed.data;
  // JSON of another program.
  if (response === undefined && stats === undefined && parsed.data.error === undefined)
    return undefined;
  const text = response ?? '';
  const failed = parsed.data.error ?? findHiddenError(parsed.data, text);
  return {
    sessionId,
    text,
    warnings: warnings ?? [],
    terminal: {
      type: 'result',
      status: failed === undefined ? 'success' : 'error',
      ...(failed === undefined ? {} : { error: { type: failed.type, message: failed.message } }),
      stats: mapStats(stats),
    },
  };
}

/** Returns the events that a stream would have had for the same answer. */
export function eventsOfJsonOutput({ sessionId, text, warnings }: JsonOutput): AgentEvent[] {
  const events: AgentEvent[] = [];
  if (sessionId !== undefined) events.push({ type: 'session-init', sessionId });
  if (text !== '') events.push({ type: 'text', text, textKind: 'text' });
  for (const message of warnings)
    events.push({ type: 'session-status', status: 'warning', message });
  return events;
}

/** Detects an API error that versions 0.8 to 0.11 hide behind exit 0: the output has no text and no tokens. */
function findHiddenError(
  { stats }: z.infer<typeof output>,
  text: string,
): { type: string; message: string } | undefined {
  if (text !== '') return undefined;
  const models = Object.values(stats?.models ?? {});
  const spent = models.reduce((sum, { tokens: used }) => sum + (used?.total ?? 0), 0);
  const errors = models.reduce((sum, { api }) => sum + (api?.totalErrors ?? 0), 0);
  if (errors > 0 && spent === 0)
    return { type: 'unknown', message: 'The request to the API failed' };
  if (spent > 0) return undefined;
  return { type: 'INVALID_STREAM', message: 'The model gave no answer' };
}

function mapStats(stats: z.infer<typeof output>['stats']): WireStats {
  const models = Object.entries(stats?.models ?? {}).map(([name, { tokens: used }]) => {
    return [name, toWireCounts(used)] as const;
  });
  const total = (key: keyof ReturnType<typeof toWireCounts>): number =>
    models.reduce((sum, [, counts]) => sum + counts[key], 0);
  return {
    total_tokens: total('total_tokens'),
    input_tokens: total('input_tokens'),
    output_tokens: total('output_tokens'),
    cached: total('cached'),
    thoughts: total('thoughts'),
    tool: total('tool'),
    tool_calls: stats?.tools?.totalCalls ?? 0,
    models: Object.fromEntries(models),
  };
}

function toWireCounts(used: z.infer<typeof tokens> | undefined) {
  const { total = 0, prompt = 0, candidates = 0, cached = 0, tool = 0 } = used ?? {};
  return {
    total_tokens: total,
    input_tokens: prompt,
    output_tokens: candidates,
    cached,
    thoughts: used?.thoughts ?? Math.max(0, total - prompt - candidates - tool),
    tool,
  };
}

/** A line that is a whole object, or a brace at the start of a line: the CLI indents the lines of its object. */
const BRACES = /^(?:\{.*\}$|[{}])/gm;

/** Returns the last object in the text: the CLI prints an error among other lines, and sometimes twice. */
function findJson(text: string): unknown {
  for (const [start, end] of findPrintedObjects(text).reverse()) {
    const value = parseJsonLine(text.slice(start, end));
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Finds ranges that look like printed objects. They never overlap, so each character is parsed at most once. */
function findPrintedObjects(text: string): [start: number, end: number][] {
  const objects: [number, number][] = [];
  let opened: number | undefined;
  for (const { 0: found, index } of text.matchAll(BRACES)) {
    if (found === '{') {
      opened = index;
      continue;
    }
    const start = found === '}' ? opened : index;
    if (start !== undefined) objects.push([start, index + found.length]);
    opened = undefined;
  }
  return objects;
}
