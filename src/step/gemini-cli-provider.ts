import { geminiProfile } from '../agents/acp/gemini-profile.js';
import { readEnvironment } from '../base/process/environment.js';
import { GEMINI_CLI_METADATA } from './metadata.js';
import type { ResolvedConfig } from '../config/resolve-config.js';
import type {
  GenerateContext,
  ProviderMetadata,
  ValidationReport,
} from '../api/response-provider.js';
import { createGeminiAcpTransport } from '../agents/acp/gemini-acp-transport.js';
import { converseHeadless } from '../agents/headless/headless-transport.js';
import { setStage } from '../agents/stage.js';
import { type ConfigInput, type StepPlan, StepProvider } from './step-provider.js';
import { assertTrusted } from '../agents/gemini/trusted-workspace.js';
import { describeCli } from '../agents/gemini/validation-notes.js';

/** Runs the Gemini CLI as a step: the text and the files really written, or a `ProviderError`. */
export class GeminiCliProvider extends StepProvider {
  static getMetadata(): ProviderMetadata {
    return GEMINI_CLI_METADATA;
  }

  /** Throws INVALID_CONFIG with every problem at once. */
  constructor(config: ConfigInput = {}) {
    super(config);
  }

  async validate(): Promise<ValidationReport> {
    const stage = await setStage(this.config, {}, readEnvironment());
    return {
      cliPath: stage.cli.location.path,
      cliVersion: stage.cli.version,
      workingDir: stage.workingDir,
      notes: describeCli(stage.cli),
    };
  }

  protected async plan(
    config: ResolvedConfig,
    context: GenerateContext,
    signal: AbortSignal,
  ): Promise<StepPlan> {
    const stage = await setStage(config, context, readEnvironment(), signal);
    if (config.transport === 'headless') return { stage, openConversation: converseHeadless };
    assertTrusted(stage);
    return {
      stage,
      openConversation: createGeminiAcpTransport(this.pools.choose(config.pool)),
      protectMessage: geminiProfile.protectPrompt,
    };
  }
}
