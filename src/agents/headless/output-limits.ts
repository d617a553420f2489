const MIB = 1024 * 1024;

/** How much a run may print before it is taken for one that prints for ever. */
export interface OutputLimits {
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  /** How much is still read once the end is decided: a true run has less in store, a flood never ends. */
  readonly restBytes: number;
}

/** A true run of hours prints some hundred megabytes; a loop that prints fills a disk in a minute. */
export const OUTPUT_LIMITS: OutputLimits = {
  stdoutBytes: 1024 * MIB,
  stderrBytes: 64 * MIB,
  restBytes: 16 * MIB,
};
