import { digestJson } from '../../base/json/digest-json.js';
import type { TreeIsolation } from '../../base/process/isolation.js';
import type { PrivateDirectory } from '../../base/process/private-directory.js';
import { PROCESS_TAG_VARIABLE } from '../../base/process/process-tree.js';
import type { ResolvedConfig } from '../../config/resolve-config.js';
import type { UnusedSession } from '../gemini/remove-unused-sessions.js';

/** Services that the provider offers to the agent. */
export interface Capabilities {
  readonly files: boolean;
  readonly terminals: boolean;
}

/** Returns the services that the caller has turned on. */
export function describeCapabilities({
  clientFiles,
  clientTerminals,
}: Pick<ResolvedConfig, 'clientFiles' | 'clientTerminals'>): Capabilities {
  return { files: clientFiles !== false, terminals: clientTerminals };
}

/** Description of how an agent is started. Steps with equal keys can share a process. */
export interface Launch {
  readonly key: string;
  /** Name of the agent in messages. */
  readonly name: string;
  readonly command: string;
  readonly capabilities: Capabilities;
  /** Means that hold the processes of the agent together. Default: none. */
  readonly isolation?: TreeIsolation | undefined;
  /** Method for `authenticate` after the handshake, if the caller configured one. */
  readonly authMethod?: string | undefined;
  /** Writes the files of the process into its folder. Returns its arguments, environment and working directory. */
  build(directory: PrivateDirectory, processId: string): Promise<LaunchDetails>;
  /** Removes the records of sessions that no step has used, after the end of the process. */
  readonly removeUnused?: ((sessions: readonly UnusedSession[]) => void) | undefined;
}

export interface LaunchDetails {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Absolute path of the log file of the agent, if the provider reads one. */
  readonly logFile?: string | undefined;
}

/** Creates a key. Equal parts give equal keys. */
export function createLaunchKey(parts: readonly unknown[]): string {
  // A missing part is written as null: the digest writes undefined like the text 'undefined'.
  return digestJson(parts.map((part) => part ?? null));
}

/** Removes the process tag of a step from an environment: a warm process serves many steps and has its own tag. */
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
