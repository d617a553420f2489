import { describe, expect, it } from 'vitest';
import { findConfigKey } from '../../src/config/key-spelling.js';

const SPELLINGS = [
  ['model', 'model'],
  ['approvalMode', 'approval_mode'],
  ['includeDirectories', 'include_directories'],
  ['allowedTools', 'allowed_tools'],
  ['deniedTools', 'denied_tools'],
  ['sandbox', 'sandbox'],
  ['workingDir', 'working_dir'],
  ['timeout', 'timeout'],
  ['idleTimeout', 'idle_timeout'],
  ['startTimeout', 'start_timeout'],
  ['maxCliAttempts', 'max_cli_attempts'],
  ['promptDelivery', 'prompt_delivery'],
  ['expandAt', 'expand_at'],
  ['systemPrompt', 'system_prompt'],
  ['resume', 'resume'],
  ['sessionId', 'session_id'],
  ['trustWorkspace', 'trust_workspace'],
  ['env', 'env'],
  ['inheritEnv', 'inherit_env'],
  ['secrets', 'secrets'],
  ['cliPath', 'cli_path'],
  ['extraArgs', 'extra_args'],
  ['workspaceScan', 'workspace_scan'],
  ['keepArtifacts', 'keep_artifacts'],
  ['logger', 'logger'],
] as const;

describe('the spelling of a configuration key', () => {
  it.each(SPELLINGS)('%s may be written as %s', (camel, snake) => {
    expect(findConfigKey(camel)).toBe(camel);
    expect(findConfigKey(snake)).toBe(camel);
  });

  it.each([
    'Model',
    'approval-mode',
    'approvalmode',
    'working_Dir',
    '',
    'constructor',
    '__proto__',
  ])('"%s" is unknown', (spelling) => {
    expect(findConfigKey(spelling)).toBeUndefined();
  });
});
