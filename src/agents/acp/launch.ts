import type { PrivateDirectory } from '../../base/process/private-directory.js';

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
