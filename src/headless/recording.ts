import type { DeniedTool } from '../contract/tool.js';
import type { Usage } from '../contract/result.js';
import { findDeniedTools } from '../events/denied-tools.js';
import { RunFold } from '../events/run-fold.js';
import { judge } from './judge.js';
import { mapUsage } from './map-event.js';
import type { Verdict } from './run-facts.js';
import { type StreamNoise, StreamReader } from './stream-reader.js';

/** What is left of a run that somebody else drove. */
export interface Recording {
  readonly stdout: Iterable<Buffer> | AsyncIterable<Buffer>;
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
  readonly remarks: RunFold['remarks'];
  readonly noise: StreamNoise;
}

/** Judges a recorded run by the same rules as a live one. */
export async function judgeRecording(recording: Recording): Promise<JudgedRecording> {
  const reader = new StreamReader();
  const fold = new RunFold();
  const claimed = new Set<string>();
  const take = (events: ReturnType<StreamReader['push']>): void => {
    for (const event of events) {
      fold.accept(event);
      if (event.type === 'tool-completion' && event.derived?.mutation !== undefined) {
        claimed.add(event.derived.mutation.path);
      }
    }
  };
  for await (const chunk of recording.stdout) take(reader.push(chunk));
  take(reader.end());
  const { terminal, noise } = reader;
  return {
    verdict: judge({
      exitCode: recording.exitCode,
      signal: recording.signal,
      stderr: recording.stderr,
      terminal,
      remarks: fold.remarks,
      toolCalls: fold.toolCalls,
      wireEvents: reader.wireEvents,
      nonJsonLines: noise.nonJsonLines,
    }),
    text: fold.text,
    claimedPaths: [...claimed],
    deniedTools: findDeniedTools(fold.toolCalls),
    usage: terminal?.stats && mapUsage(terminal.stats),
    sessionId: fold.sessionId,
    model: fold.model,
    remarks: fold.remarks,
    noise,
  };
}
