import { createAgentLaunch } from '../agents/acp/agent-launch.js';
import { createGenericProfile } from '../agents/acp/generic-profile.js';
import type { AgentProfile } from '../agents/acp/profile.js';
import {
  type AcceptedAgentConfig,
  type AcpAgentConfig,
  acceptAgentConfig,
  findGeminiOptions,
} from '../config/agent-config.js';
import { invalidConfig } from '../config/config-problem.js';
import { readEnvironment } from '../base/process/environment.js';
import type { ResolvedConfig } from '../config/resolve-config.js';
import type { GenerateContext, ValidationReport } from '../api/response-provider.js';
import { findExecutable } from '../agents/gemini/find-cli.js';
import { createAcpTransport } from '../agents/acp/acp-transport.js';
import type { CheckedCli } from '../agents/gemini/check-cli.js';
import { type Stage, setAgentStage } from '../agents/stage.js';
import { type StepPlan, StepProvider } from './step-provider.js';

/** Configuration from code, or from a file whose content nobody has checked yet. */
export type AgentConfigInput = AcpAgentConfig | Readonly<Record<string, unknown>>;

/** Runs any agent that speaks the Agent Client Protocol as a step. */
export class AcpAgentProvider extends StepProvider {
  readonly #agent: AcceptedAgentConfig['agent'];
  readonly #profile: AgentProfile;

  /** Throws INVALID_CONFIG. */
  constructor(config: AgentConfigInput) {
    const { agent, rest } = acceptAgentConfig(config);
    super(rest);
    this.#agent = agent;
    this.#profile = createGenericProfile(agent.name);
  }

  async validate(): Promise<ValidationReport> {
    const { cli, workingDir } = this.#setStage(this.config, {});
    return { cliPath: cli.location.path, cliVersion: cli.version, workingDir, notes: [] };
  }

  protected override checkOverrides(overrides: object): void {
    const problems = findGeminiOptions({ ...overrides });
    if (problems.length > 0) throw invalidConfig(problems);
  }

  protected async plan(config: ResolvedConfig, context: GenerateContext): Promise<StepPlan> {
    const stage = this.#setStage(config, context);
    const { name, args, authMethod } = this.#agent;
    const { location } = stage.cli;
    const openConversation = createAcpTransport({
      pool: this.pools.choose(config.pool),
      profile: this.#profile,
      createLaunch: () =>
        createAgentLaunch({
          name,
          command: location.command,
          args: [...location.args, ...args],
          authMethod,
          workingDir: stage.workingDir,
          env: stage.env,
          capabilities: {
            files: config.clientFiles !== false,
            terminals: config.clientTerminals,
          },
        }),
    });
    return { stage, openConversation, protectMessage: this.#profile.protectPrompt };
  }

  #setStage(config: ResolvedConfig, context: GenerateContext): Stage {
    const environment = readEnvironment();
    const { command } = this.#agent;
    const hint = this.#profile.hints.CLI_NOT_FOUND;
    const location = findExecutable(command, 'command', environment, hint);
    const cli: CheckedCli = { location, version: undefined };
    return setAgentStage(config, context, environment, cli);
  }
}
