import type { Expectations, SchemaLike } from './expectations.js';
import type { ProviderConfig } from './provider-config.js';

/** Options of one step: every key of the configuration, and a signal. */
export interface GenerateOptions extends ProviderConfig {
  /**
   * Cancels the step when it is aborted. The step then fails with CANCELLED.
   *
   * @defaultValue none
   */
  readonly signal?: AbortSignal | undefined;
}

/** Options of one step with a schema in code. `result.data` has the type of the schema's output. */
export interface GenerateOptionsWith<Schema extends SchemaLike> extends GenerateOptions {
  /** Conditions with the schema for the JSON in the answer. */
  readonly expects: Expectations & { readonly json: Schema };
}

/** Type of a schema's output. */
export type DataOf<Schema extends SchemaLike> = Extract<
  ReturnType<Schema['safeParse']>,
  { readonly success: true }
>['data'];
