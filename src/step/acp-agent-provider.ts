import { randomUUID } from 'node:crypto';
import { createAcpDriver } from '../agents/acp/acp-driver.js';
import { createAgentLaunch } from '../agents/acp/agent-launch.js';
import { createGenericProfile } from '../agents/acp/generic-profile.js';
import { describeCapabilities } from '../agents/acp/launch.js';
import type { AgentProfile } from '../agents/acp/profile.js';
import type { CheckedCli } from '../agents/gemini/check-cli.js';
import { findExecutable } from '../agents/gemini/find-cli.js';
import { type ResolvedStep, resolveAgentStep, type StepRequest } from '../agents/resolve-step.js';
import type { ProviderMetadata, ValidationReport } from '../api/response-provider.js';
import { readPackageVersion } from '../base/fs/package-version.js';
import { readEnvironment } from '../base/process/environment.js';
import { resolveIsolation } from '../base/process/isolation.js';
import {
  type AcceptedAgentConfig,
  type AcpAgentConfig,
  AGENT_CONFIG_KEYS,
  acceptAgentConfig,
  findGeminiOptions,
  parseAgentConfig,
} from '../config/agent-config.js';
import { invalidConfig } from '../config/config-problem.js';
import { DEFAULT_TIMEOUT_SECONDS } from '../config/resolve-config.js';
import { StepProvider, type StepSetup } from './step-provider.js';

const METADATA: ProviderMetadata = {
  name: 'acp-agent',
  description: 'Runs any agent with the Agent Client Protocol as a step',
  get version() {
    return readPackageVersion();
  },
  requiresConfig: true,
  configKeys: AGENT_CONFIG_KEYS,
  defaultResponseTimeout: DEFAULT_TIMEOUT_SECONDS,
  fsAbility: 'local-write',
};

/** Provider that runs any agent with the Agent Client Protocol as a step. */
export class AcpAgentProvider extends StepProvider {
  /** Returns name, description and configuration keys, for engines that list their plugins. */
  static getMetadata(): ProviderMetadata {
    return METADATA;
  }

  /** Name, description and configuration keys. */
  override readonly metadata: ProviderMetadata = METADATA;
  readonly #agent: AcceptedAgentConfig['agent'];
  readonly #profile: AgentProfile;

  /** Creates a provider with a configuration that no compiler has checked, such as one from a YAML file. */
  static fromConfig(config: unknown): AcpAgentProvider {
    return new AcpAgentProvider(parseAgentConfig(config));
  }

  /** Checks the configuration. Throws INVALID_CONFIG with every problem at once. */
  constructor(config: AcpAgentConfig) {
    const { agent, rest } = acceptAgentConfig(config);
    super(rest, 'any');
    this.#agent = agent;
    this.#profile = createGenericProfile(agent.name);
  }

  /** Finds the agent's executable and checks the directories, without starting the agent. Throws a `ProviderError`. */
  async validate(): Promise<ValidationReport> {
    const request = { generationId: randomUUID(), config: this.config, context: {} };
    await this.assertReachable(request);
    const { cli, workingDir } = await this.#resolve(request);
    return { cliPath: cli.location.path, cliVersion: cli.version, workingDir, notes: [] };
  }

  /** @internal */
  protected override checkOverrides(overrides: object): void {
    const problems = findGeminiOptions({ ...overrides });
    if (problems.length > 0) throw invalidConfig(problems);
  }

  /** @internal */
  protected async setUp(request: StepRequest): Promise<StepSetup> {
    const { config } = request;
    const resolved = await this.#resolve(request);
    const { name, args, authMethod } = this.#agent;
    const { location } = resolved.cli;
    const openSession = createAcpDriver({
      pool: this.pools.choose(config.pool),
      profile: this.#profile,
      createLaunch: () =>
        createAgentLaunch({
          name,
          command: location.command,
          args: [...location.args, ...args],
          authMethod,
          workingDir: resolved.workingDir,
          env: resolved.env,
          capabilities: describeCapabilities(config),
          isolation: resolved.isolation,
        }),
    });
    return {
      resolved,
      openSession,
      protectMessage: this.#profile.protectPrompt,
    };
  }

  async #resolve(request: StepRequest): Promise<ResolvedStep> {
    const environment = readEnvironment();
    const { command } = this.#agent;
    const hint = this.#profile.hints.CLI_NOT_FOUND;
    const location = findExecutable(command, 'command', environment, hint);
    const cli: CheckedCli = { location, version: undefined };
    const isolation = await resolveIsolation(request.config.processIsolation);
    return resolveAgentStep(request, environment, cli, isolation);
  }
}
