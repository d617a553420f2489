import { createGeminiAcpDriver } from '../agents/acp/gemini-acp-driver.js';
import { geminiProfile } from '../agents/acp/gemini-profile.js';
import { assertTrusted } from '../agents/gemini/trusted-workspace.js';
import { describeCli } from '../agents/gemini/validation-notes.js';
import { openHeadlessSession } from '../agents/headless/headless-driver.js';
import { resolveStep } from '../agents/resolve-step.js';
import type {
  GenerateContext,
  ProviderMetadata,
  ValidationReport,
} from '../api/response-provider.js';
import { readEnvironment } from '../base/process/environment.js';
import type { ProviderConfig, Untyped } from '../config/provider-config.js';
import type { ResolvedConfig } from '../config/resolve-config.js';
import { GEMINI_CLI_METADATA } from './metadata.js';
import { StepProvider, type StepSetup } from './step-provider.js';

/** Provider that runs the Gemini CLI as a step. A step returns the text and the files really written, or throws. */
export class GeminiCliProvider extends StepProvider {
  /** Returns name, description and configuration keys, for engines that list their plugins. */
  static getMetadata(): ProviderMetadata {
    return GEMINI_CLI_METADATA;
  }

  /** Checks the configuration. Throws INVALID_CONFIG with every problem at once. */
  constructor(config: Untyped<ProviderConfig> = {}) {
    super(config);
  }

  /** Finds the CLI, reads its version and checks the directories. Never calls the model. Throws a `ProviderError`. */
  async validate(): Promise<ValidationReport> {
    const resolved = await resolveStep(this.config, {}, readEnvironment());
    return {
      cliPath: resolved.cli.location.path,
      cliVersion: resolved.cli.version,
      workingDir: resolved.workingDir,
      notes: describeCli(resolved.cli),
    };
  }

  /** @internal */
  protected async plan(
    config: ResolvedConfig,
    context: GenerateContext,
    signal: AbortSignal,
  ): Promise<StepSetup> {
    const resolved = await resolveStep(config, context, readEnvironment(), signal);
    if (config.transport === 'headless')
      return { resolved: resolved, openSession: openHeadlessSession };
    assertTrusted(resolved);
    return {
      resolved: resolved,
      openSession: createGeminiAcpDriver(this.pools.choose(config.pool)),
      protectMessage: geminiProfile.protectPrompt,
    };
  }
}
