import { describe, expect, it } from 'vitest';
import {
  type CliFeatures,
  featuresOf,
  firstVersionWith,
  isAtLeast,
  learnFromUsageError,
  OLDEST_CLI,
  TESTED_CLI,
} from '../../../src/agents/gemini/cli-features.js';
import { loadRecording } from '../../fixtures/recordings.js';

const ALL: CliFeatures = {
  streamJson: true,
  policy: true,
  acpPolicy: true,
  sessionId: true,
  resume: true,
  planMode: true,
  acpFlag: true,
};
const NONE: CliFeatures = {
  streamJson: false,
  policy: false,
  acpPolicy: false,
  sessionId: false,
  resume: false,
  planMode: false,
  acpFlag: false,
};

describe('a version', () => {
  it.each([
    ['0.61.0', '0.61.0'],
    ['0.61.1', '0.61.0'],
    ['0.61.0', '0.9.99'],
    ['1.0.0', '0.61.0'],
    ['0.61.0-nightly.20260821.5411f113', '0.61.0'],
    ['0.61.0+build', '0.61.0'],
    ['0.61', '0.61.0'],
  ])('%s is at least %s', (version, least) => {
    expect(isAtLeast(version, least)).toBe(true);
  });

  it.each([
    ['0.60.9', '0.61.0'],
    ['0.9.0', '0.61.0'],
    ['0.61.0', '1.0.0'],
    ['0.60.0-preview.1', '0.61.0'],
    ['0.61', '0.61.1'],
  ])('%s is not at least %s', (version, least) => {
    expect(isAtLeast(version, least)).toBe(false);
  });
});

describe('the features of a CLI version', () => {
  it.each([
    [undefined, ALL],
    [TESTED_CLI, ALL],
    ['0.41.0', ALL],
    ['0.40.9', { ...ALL, sessionId: false }],
    ['0.33.9', { ...ALL, sessionId: false, policy: false }],
    ['0.32.9', { ...ALL, sessionId: false, planMode: false, acpFlag: false, policy: false }],
    ['0.29.9', { ...NONE, streamJson: true, resume: true }],
    ['0.15.2', { ...NONE, streamJson: true }],
    [OLDEST_CLI, NONE],
  ])('are known for %s', (version, features) => {
    expect(featuresOf(version)).toEqual(features);
  });

  it.each([
    'streamJson',
    'policy',
    'acpPolicy',
    'sessionId',
    'resume',
    'planMode',
    'acpFlag',
  ] as const)('include %s from its first version on', (feature) => {
    const first = firstVersionWith(feature);
    expect(featuresOf(first)[feature]).toBe(true);
    expect(featuresOf(OLDEST_CLI)[feature]).toBe(false);
  });
});

describe('a usage error of an older CLI', () => {
  const badChoice =
    'Invalid values:\n  Argument: output-format, Given: "stream-json", Choices: "text", "json"\n';

  it.each([
    ['the output format', badChoice, { ...ALL, streamJson: false }],
    [
      'a policy',
      'Unknown arguments: policy\nUsage: gemini',
      { ...ALL, policy: false, acpPolicy: false },
    ],
    ['one flag', 'Unknown argument: session-id', { ...ALL, sessionId: false }],
    [
      'several flags',
      'Unknown arguments: policy, session-id, sessionId\n',
      { ...ALL, policy: false, acpPolicy: false, sessionId: false },
    ],
  ])('about %s removes the feature', (_what, stderr, learned) => {
    expect(learnFromUsageError(stderr, ALL)).toEqual(learned);
  });

  it.each([
    ['is about something else', loadRecording('usage_bad_flag').stderr],
    ['is none', ''],
    ['only mentions a flag', '  --policy   Additional policy files'],
    ['is about another choice', 'Argument: approval-mode, Given: "plan", Choices: "default"'],
  ])('removes no feature if it %s', (_what, stderr) => {
    expect(learnFromUsageError(stderr, ALL)).toBeUndefined();
  });

  it('removes no feature twice', () => {
    const learned = learnFromUsageError(badChoice, ALL) ?? ALL;
    expect(learnFromUsageError(badChoice, learned)).toBeUndefined();
  });
});
