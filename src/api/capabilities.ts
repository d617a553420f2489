/** A model that the CLI offers. */
export interface ModelOffer {
  /** Value for the option `model`. */
  readonly id: string;
  /** Name for display. */
  readonly name: string;
}

/** Capabilities of the installed CLI, for an engine or a front end that serves several agents. */
export interface CliCapabilities {
  /** Name of the agent. */
  readonly tool: 'gemini';
  /** Path of the executable. Undefined if no CLI is installed; the other fields then describe the newest version. */
  readonly cliPath: string | undefined;
  /** Version of the CLI. Undefined if no CLI is installed or its version is not known. */
  readonly cliVersion: string | undefined;
  /** Always `false`: a prompt that starts with `/` is sent as text. */
  readonly supportsSlashCommands: false;
  /** Always `true`: the caller can choose the model. */
  readonly supportsModels: true;
  /** Models that the CLI offers. */
  readonly models: readonly ModelOffer[];
  /** Source of `models`: the CLI itself (`cli`), or the names that every version accepts (`known`). */
  readonly modelsFrom: 'cli' | 'known';
  /** Always `true`: the CLI has a tool for web search. */
  readonly supportsWebSearch: true;
  /** Always `true`: the CLI records the thoughts of the model. */
  readonly supportsThinking: true;
  /** True if `approvalMode: 'plan'` is available. */
  readonly supportsPlanMode: boolean;
  /** Always `true`: the caller can choose an approval mode. */
  readonly supportsPermissionModes: true;
  /** Approval modes of this version. */
  readonly permissionModes: readonly string[];
  /** Always `toggle`: in the interactive CLI, Ctrl+Y turns `yolo` on and off. */
  readonly permissionModeType: 'toggle';
  /** Always `true`: a running step can be cancelled. */
  readonly supportsInterrupt: true;
  /** True if a session can be resumed. */
  readonly supportsResume: boolean;
  /** Always `false`: a session that runs in a terminal cannot be taken over. */
  readonly supportsAttach: false;
  /** Always `false`: the CLI has no status line that a program could read. */
  readonly supportsStatusLine: false;
  /** Always `true`: the CLI can read images. */
  readonly supportsImages: true;
  /** True if the CLI reports events while it runs. */
  readonly supportsStreaming: boolean;
  /** True if warm processes (`transport: 'acp'`) are available. */
  readonly supportsAcp: boolean;
  /** True if rules for single tools and commands are available. */
  readonly supportsPolicies: boolean;
  /** True if the caller can choose the id of a new session. */
  readonly supportsSessionId: boolean;
  /** Largest context window in tokens. */
  readonly maxContextWindow: number;
  /** Always empty: the CLI has no effort levels. */
  readonly effortLevels: readonly string[];
}

/** Options of `detectCli`. */
export interface DetectCliOptions {
  /**
   * Path of the CLI's executable.
   *
   * @defaultValue searched in the same order as by `GeminiCliProvider`
   */
  readonly cliPath?: string | undefined;
  /**
   * Project folder in which the search for the CLI starts.
   *
   * @defaultValue the current directory
   */
  readonly workingDir?: string | undefined;
}

/** Options of `getCapabilities`. */
export interface CapabilitiesOptions extends DetectCliOptions {
  /**
   * Start the CLI and ask it for its models, which takes one or two seconds.
   *
   * @defaultValue `false`
   */
  readonly ask?: boolean | undefined;
}
