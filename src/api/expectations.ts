import type { Duration } from './duration.js';

/** A JSON Schema, or in code an object with a `safeParse` method, such as a zod schema. */
export type AnswerSchema = Readonly<Record<string, unknown>> | SchemaLike;

/** A schema in code: any object with zod's `safeParse` method. */
export interface SchemaLike {
  /** Parses a value. Returns the parsed data, or the issues that were found. */
  safeParse(value: unknown):
    | { readonly success: true; readonly data: unknown }
    | {
        readonly success: false;
        readonly error: {
          readonly issues: readonly {
            readonly path: readonly PropertyKey[];
            readonly message: string;
          }[];
        };
      };
}

/** Number of created or modified files in the workspace that must match a glob. */
export interface ExpectedFiles {
  /** Glob relative to the working directory, with forward slashes. `src/` matches all files in `src`. */
  readonly glob: string;
  /**
   * Smallest number of matching files.
   *
   * @defaultValue `1`
   */
  readonly min?: number | undefined;
  /**
   * Largest number of matching files.
   *
   * @defaultValue no limit
   */
  readonly max?: number | undefined;
}

/** A program with its arguments. It is started without a shell. */
export interface ExpectedCommand {
  /** Path of the program, or its name on `PATH` or in `node_modules/.bin` of the project. */
  readonly command: string;
  /**
   * Arguments of the program.
   *
   * @defaultValue `[]`
   */
  readonly args?: readonly string[] | undefined;
  /**
   * Time until the program is ended and counts as failed: seconds, or a text as `5m`.
   *
   * @defaultValue `300`
   */
  readonly timeout?: Duration | undefined;
}

/** Conditions to check after a successful turn. A failed condition is repaired (`repair`) or fails the step. */
export interface Expectations {
  /**
   * Files that the step must create or modify: a glob (at least one match), `{ glob, min, max }`, or a list of these.
   *
   * @defaultValue not checked
   */
  readonly files?: string | ExpectedFiles | readonly (string | ExpectedFiles)[] | undefined;
  /**
   * Texts that the answer must contain.
   *
   * @defaultValue not checked
   */
  readonly contains?: string | readonly string[] | undefined;
  /**
   * Schema of JSON that the answer must contain. The JSON is extracted, checked and returned as `result.data`.
   *
   * @defaultValue not checked
   */
  readonly json?: AnswerSchema | undefined;
  /**
   * Commands that must exit with 0 in the working directory. A string is split at blanks, with quotes; no shell runs
   * it.
   *
   * @defaultValue not checked
   */
  readonly command?: string | ExpectedCommand | readonly (string | ExpectedCommand)[] | undefined;
  /**
   * Globs of files that may change. Every file that the step creates, modifies or deletes must match one of them.
   *
   * @defaultValue not checked
   */
  readonly noChangesOutside?: string | readonly string[] | undefined;
}

/** A condition of `expects` that is not met, or a merge conflict of a batch step. */
export interface MissingExpectation {
  /** Key of `expects`, or `merge` for a merge conflict. */
  readonly kind: 'files' | 'contains' | 'json' | 'command' | 'noChangesOutside' | 'merge';
  /** Description of the condition and of what was found, on one line. */
  readonly message: string;
  /** Details for a repair, on several lines: the end of a command's output, or problems with the schema. */
  readonly detail?: string | undefined;
  /** Paths of the files that are concerned. */
  readonly paths?: readonly string[] | undefined;
  /** Name of the signal (SIGHUP, SIGINT or SIGTERM) by which a command was ended from outside. */
  readonly signal?: string | undefined;
}

/** Result of one condition of `expects`, as it was checked last. */
export interface ExpectationReport {
  /** Key of `expects`, or `merge` for a merge conflict. */
  readonly kind: MissingExpectation['kind'];
  /** Condition in short: the glob, the text, the command. At most 200 characters. */
  readonly name: string;
  /** True if the condition is met. */
  readonly passed: boolean;
  /** Description of what was found, for a condition that is not met. */
  readonly message?: string | undefined;
  /** End of a command's output, or problems with the schema, for a condition that is not met. */
  readonly detail?: string | undefined;
}
