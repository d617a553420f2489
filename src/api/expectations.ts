/** A JSON Schema, or in code anything with a `safeParse` as zod has it. */
export type AnswerSchema = Readonly<Record<string, unknown>> | SchemaLike;

export interface SchemaLike {
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

/** So many files that the run created or modified must match the glob. */
export interface ExpectedFiles {
  /** Relative to the working directory, with forward slashes. */
  readonly glob: string;
  /** Default 1. */
  readonly min?: number | undefined;
  /** Default: no limit. */
  readonly max?: number | undefined;
}

/** A program and its arguments; it is started without a shell. */
export interface ExpectedCommand {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Seconds. Default 300. */
  readonly timeout?: number | undefined;
}

/** What must be true of a run that ended well. */
export interface Expectations {
  /** A glob alone means at least one match. */
  readonly files?: string | ExpectedFiles | readonly (string | ExpectedFiles)[] | undefined;
  /** Texts the answer must contain. */
  readonly contains?: string | readonly string[] | undefined;
  /** The answer holds JSON of this form; it is extracted, checked and returned as `result.data`. */
  readonly json?: AnswerSchema | undefined;
  /** Must exit with 0 in the working directory. A string is split at blanks, with quotes. */
  readonly command?: string | ExpectedCommand | readonly (string | ExpectedCommand)[] | undefined;
  /** Every file the run changed must match one of these globs. */
  readonly noChangesOutside?: string | readonly string[] | undefined;
}

/** One thing that was expected and is not there. */
export interface MissingExpectation {
  readonly kind: 'files' | 'contains' | 'json' | 'command' | 'noChangesOutside' | 'merge';
  /** One line for people. */
  readonly message: string;
  /** More than one line where it helps to repair it: the end of a command's output, schema problems. */
  readonly detail?: string | undefined;
  /** The files it is about. */
  readonly paths?: readonly string[] | undefined;
}
