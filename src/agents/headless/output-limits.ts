const MIB = 1024 * 1024;

/** Sizes of output above which the CLI is considered to print forever. */
export interface OutputLimits {
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  /** Bytes that are still read after a result or a stop: a normal turn has less left, an endless one never stops. */
  readonly restBytes: number;
}

/** Default limits. A turn of hours prints some hundred megabytes; an endless loop fills a disk in a minute. */
export const OUTPUT_LIMITS: OutputLimits = {
  stdoutBytes: 1024 * MIB,
  stderrBytes: 64 * MIB,
  restBytes: 16 * MIB,
};
