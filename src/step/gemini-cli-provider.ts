import { randomUUID } from 'node:crypto';
import { createGeminiAcpDriver } from '../agents/acp/acp-driver.js';
import { geminiProfile } from '../agents/acp/gemini-profile.js';
import { withCompileCache } from '../agents/gemini/compile-cache.js';
import { describeCli } from '../agents/gemini/validation-notes.js';
import { openHeadlessSession } from '../agents/headless/headless-driver.js';
import { type ResolvedStep, resolveStep, type StepRequest } from '../agents/resolve-step.js';
import type { ProviderConfig } from '../api/provider-config.js';
import type { ProviderMetadata, ValidationReport } from '../api/response-provider.js';
import { ProviderError } from '../base/errors/provider-error.js';
import { readPackageVersion } from '../base/fs/package-version.js';
import { readEnvironment } from '../base/process/environment.js';
import { readOptions } from '../config/accept-config.js';
import { readConfigSchema } from '../config/read-config-schema.js';
import { DEFAULT_TIMEOUT_SECONDS } from '../config/resolve-config.js';
import { CONFIG_KEYS } from '../config/schema.js';
import { removeEndedProjects } from '../sessions/projects/temporary-project.js';
import { openSessionProject } from './session-project.js';
import { StepProvider, type StepSetup } from './step-provider.js';

const METADATA: ProviderMetadata = {
  name: 'gemini-cli',
  description:
    'Gemini CLI AI agent via subprocess: a step returns its text and the files really written, or an error',
  get version() {
    return readPackageVersion();
  },
  requiresConfig: false,
  configKeys: CONFIG_KEYS,
  // The file is read when an engine asks for it: importing the package must not cost more.
  get configSchema() {
    return readConfigSchema();
  },
  defaultResponseTimeout: DEFAULT_TIMEOUT_SECONDS,
  fsAbility: 'local-write',
};

/** Provider that runs the Gemini CLI as a step. A step returns the text and the files really written, or throws. */
export class GeminiCliProvider extends StepProvider {
  /** Returns name, description and configuration keys, for engines that list their plugins. */
  static getMetadata(): ProviderMetadata {
    return METADATA;
  }

  /** Creates a provider with a configuration that no compiler has checked, such as one from a YAML file. */
  static fromConfig(config: unknown): GeminiCliProvider {
    return new GeminiCliProvider(readOptions(config, 'config'));
  }

  /** Name, description and configuration keys. */
  override readonly metadata: ProviderMetadata = METADATA;

  /** Checks the configuration. Throws INVALID_CONFIG with every problem at once. */
  constructor(config: ProviderConfig = {}) {
    super(config, 'gemini');
  }

  /** Finds the CLI, reads its version and checks the directories. Never calls the model. Throws a `ProviderError`. */
  async validate(): Promise<ValidationReport> {
    const request = { generationId: randomUUID(), config: this.config, context: {} };
    await this.assertReachable(request);
    const resolved = await resolveStep(request, readEnvironment());
    return {
      cliPath: resolved.cli.location.path,
      cliVersion: resolved.cli.version,
      workingDir: resolved.workingDir,
      notes: describeCli(resolved.cli),
    };
  }

  /**
   * Cancels running steps and waits for their end. Every later call is refused with INVALID_INPUT. A pool that was passed
   * in is not disposed of.
   */
  override async dispose(): Promise<void> {
    await super.dispose();
    await removeEndedProjects();
  }

  /** @internal */
  protected async setUp(request: StepRequest): Promise<StepSetup> {
    const { config } = request;
    const environment = readEnvironment();
    const isHeadless = config.transport === 'headless';
    const found = await resolveStep(request, environment);
    if (!isHeadless) assertTrusted(found);
    const step = await openSessionProject(withCompileCache(found, environment), request.context);
    if (isHeadless) return { ...step, openSession: openHeadlessSession };
    return {
      ...step,
      openSession: createGeminiAcpDriver(this.pools.choose(config.pool)),
      protectMessage: geminiProfile.protectPrompt,
    };
  }
}

/** Throws UNTRUSTED_WORKSPACE where a headless turn would be refused. Over ACP, CLI 0.61 itself works in any folder. */
function assertTrusted({ cliSettings }: Pick<ResolvedStep, 'cliSettings'>): void {
  if (cliSettings === undefined || cliSettings.trust.isTrusted || !cliSettings.trust.isRefused)
    return;
  throw new ProviderError({ code: 'UNTRUSTED_WORKSPACE', message: cliSettings.trust.message });
}
