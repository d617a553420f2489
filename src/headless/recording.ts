import { stripVTControlCharacters } from 'node:util';
import type { RunWarning, Usage } from '../contract/result.js';
import type { DeniedTool } from '../contract/tool.js';
import type { Verdict } from '../errors/verdict.js';
import { findDeniedTools } from '../events/denied-tools.js';
import { RunFold } from '../events/run-fold.js';
import { describeRun } from './describe-run.js';
import { eventsOfJsonOutput, parseJsonOutput } from './json-output.js';
import { judge } from './judge.js';
import { mapUsage } from './map-event.js';
import { StreamReader } from './stream-reader.js';

/** What is left of a run that somebody else drove. */
export interface Recording {
  /** Of `-o stream-json`, or of `-o json`. */
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
}

export interface JudgedRecording {
  readonly verdict: Verdict;
  readonly text: string;
  /** Paths of successful `write_file` and `replace` calls, as the model wrote them. */
  readonly claimedPaths: readonly string[];
  readonly deniedTools: readonly DeniedTool[];
  readonly usage: Usage | undefined;
  readonly sessionId: string | undefined;
  readonly model: string | undefined;
  readonly warnings: readonly RunWarning[];
}

/** Judges a recorded run by the same rules as a live one. */
export function judgeRecording(recording: Recording): JudgedRecording {
  const { stdout, exitCode, signal } = recording;
  const stderr = stripVTControlCharacters(recording.stderr);
  const reader = new StreamReader();
  const fold = new RunFold();
  const claimed = new Set<string>();
  const streamed = [...reader.push(stdout), ...reader.end()];
  const json = reader.wireEvents === 0 ? parseJsonOutput(stdout.toString(), stderr) : undefined;
  for (const event of json === undefined ? streamed : eventsOfJsonOutput(json)) {
    fold.accept(event);
    if (event.type === 'tool-completion' && event.derived?.mutation !== undefined) {
      claimed.add(event.derived.mutation.path);
    }
  }
  const terminal = json === undefined ? reader.terminal : json.terminal;
  const noise = json === undefined ? reader.noise : new StreamReader().noise;
  return {
    verdict: judge({
      exitCode,
      signal,
      stderr,
      terminal,
      remarks: fold.remarks,
      toolCalls: fold.toolCalls,
      wireEvents: json === undefined ? reader.wireEvents : 1,
      foreignLines: json === undefined ? reader.foreignLines : 0,
    }),
    text: fold.text,
    claimedPaths: [...claimed],
    deniedTools: findDeniedTools(fold.toolCalls),
    usage: terminal?.stats ? mapUsage(terminal.stats) : undefined,
    sessionId: fold.sessionId,
    model: fold.model,
    warnings: describeRun({ noise, remarks: fold.remarks }),
  };
}
