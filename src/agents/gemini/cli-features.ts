/** Features of a CLI version. The table was found by running the published versions one by one. */
export interface CliFeatures {
  readonly streamJson: boolean;
  /** True if a headless CLI offers the tools that a policy file allows, whatever its approval mode is. */
  readonly policy: boolean;
  /** True if the CLI has `--policy` over ACP. */
  readonly acpPolicy: boolean;
  readonly sessionId: boolean;
  readonly resume: boolean;
  readonly planMode: boolean;
  /** True for `--acp`; older versions have `--experimental-acp`. */
  readonly acpFlag: boolean;
}

/** First published version with each feature. */
const SINCE: Readonly<Record<keyof CliFeatures, string>> = {
  streamJson: '0.11.3',
  resume: '0.15.3',
  acpPolicy: '0.30.0',
  // Versions from 0.30.0 on have the flag, but offer tools by the approval mode alone.
  policy: '0.34.0',
  planMode: '0.33.0',
  acpFlag: '0.33.0',
  sessionId: '0.41.0',
};

/** Oldest version with machine-readable output. */
export const OLDEST_CLI = '0.6.1';
/** Version that the tests run against. */
export const TESTED_CLI = '0.61.0';

const NEWEST: CliFeatures = {
  streamJson: true,
  policy: true,
  acpPolicy: true,
  sessionId: true,
  resume: true,
  planMode: true,
  acpFlag: true,
};

/** Returns the features of a version. An unknown version counts as the newest; `learnFromUsageError` corrects this. */
export function featuresOf(version: string | undefined): CliFeatures {
  if (version === undefined) return NEWEST;
  const has = (feature: keyof CliFeatures): boolean => isAtLeast(version, SINCE[feature]);
  return {
    streamJson: has('streamJson'),
    policy: has('policy'),
    acpPolicy: has('acpPolicy'),
    sessionId: has('sessionId'),
    resume: has('resume'),
    planMode: has('planMode'),
    acpFlag: has('acpFlag'),
  };
}

export function firstVersionWith(feature: keyof CliFeatures): string {
  return SINCE[feature];
}

/** Compares two versions without their nightly and preview suffixes. */
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
 * Removes the features that a usage error of an older CLI denies. Returns undefined if the error shows none.
 * The CLI reports unknown flags before bad values, so two calls may be needed to learn everything.
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
    acpPolicy: features.acpPolicy && !unknown.includes('policy'),
    sessionId: features.sessionId && !unknown.includes('session-id'),
  };
  const changed =
    learned.streamJson !== features.streamJson ||
    learned.policy !== features.policy ||
    learned.sessionId !== features.sessionId;
  return changed ? learned : undefined;
}
