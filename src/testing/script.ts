/** One tool call that the scripted model makes. */
export interface ScriptedToolCall {
  readonly name: string;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
}

/** An HTTP error in the shape of the Gemini API. */
export interface ScriptedHttpError {
  readonly status: number;
  readonly message?: string | undefined;
  /** `google.rpc` details, such as quota failures. */
  readonly details?: readonly object[] | undefined;
  /** Shorthand for a `RetryInfo` detail: `2s`. */
  readonly retryDelay?: string | undefined;
}

/** One answer of the model. Everything is optional; an empty turn is an empty answer. */
export interface ScriptedTurn {
  /** The text, or its pieces: each is sent as a chunk of its own. */
  readonly text?: string | readonly string[] | undefined;
  readonly thoughts?: readonly string[] | undefined;
  readonly toolCalls?: readonly ScriptedToolCall[] | undefined;
  /** Default `STOP`; `null` sends none. */
  readonly finishReason?: string | null | undefined;
  /** Token counts. Defaults: 100 prompt, 10 output. */
  readonly usage?:
    | {
        readonly prompt?: number;
        readonly output?: number;
        readonly cached?: number;
        readonly thoughts?: number;
      }
    | undefined;
  /** Milliseconds before the answer begins. */
  readonly latencyMs?: number | undefined;
  /** Milliseconds between two chunks. */
  readonly chunkDelayMs?: number | undefined;
  /** Answer with an HTTP error instead. */
  readonly error?: ScriptedHttpError | undefined;
  /** Close the connection: before anything is sent, or after all chunks but without an end. */
  readonly drop?: 'before' | 'after' | undefined;
  /** `stall`: send all chunks, then stay silent. `repeat`: send the first piece for ever, numbered. */
  readonly endless?: 'stall' | 'repeat' | undefined;
  /** Sent as it is in place of the stream, for what no API would send. */
  readonly rawBody?: string | undefined;
}

/** A turn, or one for each attempt: the first request of this turn gets the first, later ones the next. */
export type ScriptedAnswer = ScriptedTurn | { readonly attempts: readonly ScriptedTurn[] };

export interface ScriptedRule {
  /** The prompts it answers: those that contain the text, match the expression, or pass the test. Default: all. */
  readonly prompt?: string | RegExp | ((request: ModelRequest) => boolean) | undefined;
  /** One answer for each turn of the conversation; the last one answers all further turns. */
  readonly turns: readonly ScriptedAnswer[];
}

/** The rules, looked at in order; or just the turns of a conversation, whatever its prompt. */
export type Script = readonly ScriptedRule[] | readonly ScriptedAnswer[];

/** What the CLI asked. */
export interface ModelRequest {
  readonly method: string;
  readonly model: string;
  readonly streaming: boolean;
  /** The text of the last prompt, as the model got it. */
  readonly prompt: string;
  /** All text parts of the last prompt: more than one where the CLI added files or notes. */
  readonly promptParts: readonly string[];
  /** 0 for the answer to the prompt, 1 for the answer to the first tool results, and so on. */
  readonly turn: number;
  /** Names of the tools that were offered. */
  readonly tools: readonly string[];
  readonly systemInstruction: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export function toRules(script: Script): readonly ScriptedRule[] {
  const rules: ScriptedRule[] = [];
  const answers: ScriptedAnswer[] = [];
  for (const entry of script) {
    if ('turns' in entry) rules.push(entry);
    else answers.push(entry);
  }
  return answers.length === 0 ? rules : [...rules, { turns: answers }];
}
