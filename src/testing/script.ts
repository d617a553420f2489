/** A tool call that the scripted model makes. */
export interface ScriptedToolCall {
  /** Name of the tool. */
  readonly name: string;
  /**
   * Arguments of the call.
   *
   * @defaultValue `{}`
   */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
}

/** An HTTP error in the form of the Gemini API. */
export interface ScriptedHttpError {
  /** HTTP status from 400 to 599. */
  readonly status: number;
  /**
   * Message of the error.
   *
   * @defaultValue `Scripted error` and the status
   */
  readonly message?: string | undefined;
  /**
   * `google.rpc` details, such as quota failures.
   *
   * @defaultValue `[]`
   */
  readonly details?: readonly object[] | undefined;
  /**
   * Delay of a `RetryInfo` detail, such as `2s`.
   *
   * @defaultValue none
   */
  readonly retryDelay?: string | undefined;
}

/** An answer of the model. Every field is optional; an empty turn is an empty answer. */
export interface ScriptedTurn {
  /**
   * Text of the answer, or its pieces. Each piece is sent as a chunk of its own.
   *
   * @defaultValue none
   */
  readonly text?: string | readonly string[] | undefined;
  /**
   * Thoughts before the text. Each is sent as a chunk of its own.
   *
   * @defaultValue `[]`
   */
  readonly thoughts?: readonly string[] | undefined;
  /**
   * Tool calls after the text, all in one chunk.
   *
   * @defaultValue `[]`
   */
  readonly toolCalls?: readonly ScriptedToolCall[] | undefined;
  /**
   * Finish reason of the last chunk. `null` sends none.
   *
   * @defaultValue `'STOP'`
   */
  readonly finishReason?: string | null | undefined;
  /**
   * Token counts of the answer.
   *
   * @defaultValue 100 for `prompt`, 10 for `output`, none for `cached` and `thoughts`
   */
  readonly usage?:
    | {
        /** Tokens of the prompt. */
        readonly prompt?: number;
        /** Tokens of the answer. */
        readonly output?: number;
        /** Tokens of the prompt that came from the cache. */
        readonly cached?: number;
        /** Tokens of the thoughts. */
        readonly thoughts?: number;
      }
    | undefined;
  /**
   * Milliseconds before the answer starts.
   *
   * @defaultValue `0`
   */
  readonly latencyMs?: number | undefined;
  /**
   * Milliseconds between two chunks.
   *
   * @defaultValue `0`, and 20 between repetitions with `endless: 'repeat'`
   */
  readonly chunkDelayMs?: number | undefined;
  /**
   * HTTP error to answer with, in place of a stream.
   *
   * @defaultValue none
   */
  readonly error?: ScriptedHttpError | undefined;
  /**
   * Close the connection `before` anything is sent, or `after` all chunks but without an end.
   *
   * @defaultValue none: the connection ends normally
   */
  readonly drop?: 'before' | 'after' | undefined;
  /**
   * Never end the answer. `stall` sends all chunks, then nothing more. `repeat` sends the first piece again and again,
   * with a number.
   *
   * @defaultValue none: the answer ends
   */
  readonly endless?: 'stall' | 'repeat' | undefined;
  /**
   * Body to send unchanged in place of the stream, to test answers that no API would give.
   *
   * @defaultValue none
   */
  readonly rawBody?: string | undefined;
}

/** Returns the turn for a request: `({ prompt }) => ({ text: prompt.toUpperCase() })`. */
export type ScriptedFunction = (request: ModelRequest) => ScriptedTurn | Promise<ScriptedTurn>;

/**
 * A turn, a function that returns the turn for a request, or one turn for each request: the first request gets the
 * first entry of `attempts`, the next the second.
 */
export type ScriptedAnswer =
  | ScriptedTurn
  | ScriptedFunction
  | { readonly attempts: readonly (ScriptedTurn | ScriptedFunction)[] };

/** Answers to the prompts that match. */
export interface ScriptedRule {
  /**
   * Prompts that the rule answers: those that contain the text, match the regular expression, or pass the function.
   *
   * @defaultValue all prompts
   */
  readonly prompt?: string | RegExp | ((request: ModelRequest) => boolean) | undefined;
  /** Answers in order: one for the prompt, one for each round of tool results. The last one is used again. */
  readonly turns: readonly ScriptedAnswer[];
}

/** Rules in order, of which the first that matches is used. A list of turns is one rule for all prompts. */
export type Script = readonly ScriptedRule[] | readonly ScriptedAnswer[];

/** A request that the CLI sent to the model. */
export interface ModelRequest {
  /** API method, such as `streamGenerateContent`. */
  readonly method: string;
  /** Name of the model. */
  readonly model: string;
  /** True if the CLI asked for a stream. */
  readonly streaming: boolean;
  /** Text of the last prompt, as the model gets it. */
  readonly prompt: string;
  /** All text parts of the last prompt. There are several if the CLI added files or notes. */
  readonly promptParts: readonly string[];
  /** Number of tool result rounds since the prompt: 0 for the answer to the prompt itself. */
  readonly turn: number;
  /** Names of the tools that the CLI offers to the model. */
  readonly tools: readonly string[];
  /** Text of the system instruction. */
  readonly systemInstruction: string;
  /** Body of the request as parsed JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Returns the rules of a script. Turns outside of a rule become one last rule for all prompts. */
export function toRules(script: Script): readonly ScriptedRule[] {
  const rules: ScriptedRule[] = [];
  const answers: ScriptedAnswer[] = [];
  for (const entry of script) {
    if (typeof entry !== 'function' && 'turns' in entry) rules.push(entry);
    else answers.push(entry);
  }
  return answers.length === 0 ? rules : [...rules, { turns: answers }];
}
