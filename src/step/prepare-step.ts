import type { PreparedPrompt } from '../agents/driver.js';
import { readPath } from '../agents/working-dir.js';
import type { PrivateDirectory } from '../base/process/private-directory.js';
import { preparePrompt } from './prompt/prepare-prompt.js';
import type { Step } from './step.js';

/** Prepares the first prompt of the step for the agent. */
export function prepareStep(
  step: Step,
  directory: PrivateDirectory,
  signal: AbortSignal,
): Promise<PreparedPrompt> {
  const { config } = step.resolved;
  return preparePrompt({
    ...describeTarget(step, directory, signal),
    prompt: step.prompt,
    promptFile: readPath(step.context, 'promptFile', 'prompt_file'),
    delivery: config.promptDelivery,
    expandAt: config.expandAt,
    systemPrompt: config.systemPrompt,
  });
}

/** Prepares the prompt of a repair turn. It has no warnings: the caller did not write it, so changes do not matter. */
export async function prepareRepair(
  step: Step,
  directory: PrivateDirectory,
  text: string,
  first: PreparedPrompt,
  signal: AbortSignal,
): Promise<PreparedPrompt> {
  const prepared = await preparePrompt({
    ...describeTarget(step, directory, signal),
    prompt: text,
    promptFile: undefined,
    delivery: 'stdin',
    expandAt: false,
    systemPrompt: undefined,
  });
  return { ...first, text: prepared.text, warnings: [] };
}

function describeTarget(
  { resolved, protectMessage }: Step,
  directory: PrivateDirectory,
  signal: AbortSignal,
) {
  return {
    inSandbox: resolved.config.sandbox !== false,
    workingDir: resolved.workingDir,
    workspaceDirs: resolved.workspaceDirs,
    geminiHome: resolved.geminiHome,
    privateFile: directory.file,
    signal,
    protectMessage,
  };
}
