/** What a version of the CLI can do. Found by running the published versions one by one. */
export interface CliFeatures {
  readonly streamJson: boolean;
  readonly policy: boolean;
  readonly sessionId: boolean;
  readonly resume: boolean;
  readonly planMode: boolean;
  /** `--acp`; before it, `--experimental-acp`. */
  readonly acpFlag: boolean;
}

/** The first published version with each of them. */
const SINCE: Readonly<Record<keyof CliFeatures, string>> = {
  streamJson: '0.11.3',
  resume: '0.15.3',
  policy: '0.30.0',
  planMode: '0.33.0',
  acpFlag: '0.33.0',
  sessionId: '0.41.0',
};

/** Before this there is no output that a program could read. */
export const OLDEST_CLI = '0.6.1';
/** What the tests run against. */
export const TESTED_CLI = '0.61.0';

const NEWEST: CliFeatures = {
  streamJson: true,
  policy: true,
  sessionId: true,
  resume: true,
  planMode: true,
  acpFlag: true,
};

/** A version that nobody could read is taken for the newest; its usage errors correct us. */
export function featuresOf(version: string | undefined): CliFeatures {
  if (version === undefined) return NEWEST;
  const has = (feature: keyof CliFeatures): boolean => isAtLeast(version, SINCE[feature]);
  return {
    streamJson: has('streamJson'),
    policy: has('policy'),
    sessionId: has('sessionId'),
    resume: has('resume'),
    planMode: has('planMode'),
    acpFlag: has('acpFlag'),
  };
}

export function firstVersionWith(feature: keyof CliFeatures): string {
  return SINCE[feature];
}

/** Nightly and preview suffixes do not count. */
export function isAtLeast(version: string, least: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(least)];
  for (const [index, wanted] of b.entries()) {
    const present = a[index] ?? 0;
    if (present !== wanted) return present > wanted;
  }
  return true;
}

function numbersOf(version: string): number[] {
  return (version.split(/[-+]/, 1)[0] ?? '').split('.').map(Number);
}

/**
 * What an older CLI's complaint about our arguments teaches, or undefined where it is about something else.
 * Unknown flags hide a bad choice, so it may take two rounds to learn everything.
 */
export function learnFromUsageError(
  stderr: string,
  features: CliFeatures,
): CliFeatures | undefined {
  const unknown = /^Unknown arguments?: (.*)$/m.exec(stderr)?.[1]?.split(', ') ?? [];
  const learned: CliFeatures = {
    ...features,
    streamJson:
      features.streamJson && !/Argument: output-format, Given: "stream-json"/.test(stderr),
    policy: features.policy && !unknown.includes('policy'),
    sessionId: features.sessionId && !unknown.includes('session-id'),
  };
  const changed =
    learned.streamJson !== features.streamJson ||
    learned.policy !== features.policy ||
    learned.sessionId !== features.sessionId;
  return changed ? learned : undefined;
}
