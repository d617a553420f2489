/** A text of a transcript: a prompt, a message of the model, a remark about the session, or the end of an attempt. */
export interface TranscriptText {
  readonly kind: 'prompt' | 'text' | 'thinking' | 'plan' | 'status' | 'repair' | 'error';
  readonly text: string;
  /** Number of characters that were left out at the end of the text. */
  readonly cut?: number | undefined;
  readonly generationId?: string | undefined;
}

/** Verdict about a tool call. `open`: the events have no result of the call. */
export type ToolVerdict = 'completed' | 'failed' | 'denied' | 'open';

/** A tool call of a transcript. */
export interface TranscriptTool {
  readonly kind: 'tool';
  readonly tool: string;
  /** Arguments of the call on one line. */
  readonly summary: string;
  readonly verdict: ToolVerdict;
  readonly durationMs?: number | undefined;
  /** Message of a failed or denied call, or the output of the call. */
  readonly output?: string | undefined;
  readonly generationId?: string | undefined;
}

export type TranscriptEntry = TranscriptText | TranscriptTool;

/** What happened in the attempts of a step, in order. */
export interface Transcript {
  readonly entries: readonly TranscriptEntry[];
  /** True if earlier entries were left out. */
  readonly isCut: boolean;
}
