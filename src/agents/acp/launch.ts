import { createHash } from 'node:crypto';
import type { PrivateDirectory } from '../../base/process/private-directory.js';
import { PROCESS_TAG_VARIABLE } from '../../base/process/process-tree.js';

export interface Capabilities {
  readonly files: boolean;
  readonly terminals: boolean;
}

/** How an agent is started. Steps with equal keys can share a process. */
export interface Launch {
  readonly key: string;
  /** For messages. */
  readonly name: string;
  readonly command: string;
  readonly capabilities: Capabilities;
  /** Called with `authenticate` after the handshake, where the caller asks for it by name. */
  readonly authMethod?: string | undefined;
  /** Writes what the process needs into its folder, and says with what it is started. */
  build(directory: PrivateDirectory, processId: string): Promise<LaunchDetails>;
}

export interface LaunchDetails {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Where the agent writes down what it does, if it does so. */
  readonly logFile?: string | undefined;
}

/** Launches of equal parts get equal keys. */
export function createLaunchKey(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The environment without the tag of one step: a warm process serves many, and has a tag of its own. */
export function withoutProcessTag(
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { [PROCESS_TAG_VARIABLE]: _, ...rest } = env;
  return rest;
}

export function withProcessTag(
  env: Readonly<Record<string, string>>,
  processId: string,
): Record<string, string> {
  return { ...env, [PROCESS_TAG_VARIABLE]: processId };
}
