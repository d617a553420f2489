export interface ModelOffer {
  readonly id: string;
  readonly name: string;
}

/** What the installed CLI can do, for an engine or a front end that serves several agents. */
export interface CliCapabilities {
  readonly tool: 'gemini';
  /** Undefined where none is installed; the rest is then what the newest version can do. */
  readonly cliPath: string | undefined;
  readonly cliVersion: string | undefined;
  readonly supportsSlashCommands: false;
  readonly supportsModels: true;
  readonly models: readonly ModelOffer[];
  /** `cli`: the installed CLI was asked. `known`: the names that every version takes. */
  readonly modelsFrom: 'cli' | 'known';
  readonly supportsWebSearch: true;
  readonly supportsThinking: true;
  readonly supportsPlanMode: boolean;
  readonly supportsPermissionModes: true;
  readonly permissionModes: readonly string[];
  /** How a person changes it while the CLI runs: Ctrl+Y turns `yolo` on and off. */
  readonly permissionModeType: 'toggle';
  readonly supportsInterrupt: true;
  readonly supportsResume: boolean;
  readonly supportsAttach: false;
  readonly supportsStatusLine: false;
  readonly supportsImages: true;
  readonly supportsStreaming: boolean;
  /** Warm processes. */
  readonly supportsAcp: boolean;
  /** Rules for single tools and commands. */
  readonly supportsPolicies: boolean;
  /** The caller chooses the id of a new session. */
  readonly supportsSessionId: boolean;
  /** Tokens. */
  readonly maxContextWindow: number;
  /** The CLI has no such choice. */
  readonly effortLevels: readonly string[];
}

export interface CapabilitiesOptions {
  /** Ask the CLI itself for its models and modes, which takes a second or two. Default false. */
  readonly ask?: boolean | undefined;
  /** The CLI's executable. Default: looked for as `GeminiCliProvider` does. */
  readonly cliPath?: string | undefined;
  /** Where to look for it. Default: the current directory. */
  readonly workingDir?: string | undefined;
}
