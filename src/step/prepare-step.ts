import type { RunDirectory } from '../base/process/run-directory.js';
import { type PreparedPrompt, preparePrompt } from './prompt/prepare-prompt.js';
import type { Step } from './step.js';
import { readPath } from '../agents/working-dir.js';

/** The prompt of the step as the agent gets it. */
export function prepareStep(step: Step, directory: RunDirectory): Promise<PreparedPrompt> {
  const { config } = step.stage;
  return preparePrompt({
    ...describePlace(step, directory),
    prompt: step.prompt,
    promptFile: readPath(step.context, 'promptFile', 'prompt_file'),
    delivery: config.promptDelivery,
    expandAt: config.expandAt,
    systemPrompt: config.systemPrompt,
  });
}

/** What is said in the same session afterwards. The caller has not written it: changes to it are not his concern. */
export async function prepareRepair(
  step: Step,
  directory: RunDirectory,
  text: string,
  first: PreparedPrompt,
): Promise<PreparedPrompt> {
  const prepared = await preparePrompt({
    ...describePlace(step, directory),
    prompt: text,
    promptFile: undefined,
    delivery: 'stdin',
    expandAt: false,
    systemPrompt: undefined,
  });
  return { ...first, text: prepared.text, warnings: [] };
}

function describePlace({ stage, signal, protectMessage }: Step, directory: RunDirectory) {
  return {
    inSandbox: stage.config.sandbox !== false,
    workingDir: stage.workingDir,
    workspaceDirs: stage.workspaceDirs,
    geminiHome: stage.geminiHome,
    privateFile: directory.file,
    signal,
    protectMessage,
  };
}
