import { randomUUID } from 'node:crypto';
import type { AgentPool } from '../../../agents/acp/agent-pool.js';
import { createGeminiLaunch } from '../../../agents/acp/gemini-launch.js';
import { geminiProfile } from '../../../agents/acp/gemini-profile.js';
import { LiveSession } from '../../../agents/acp/live-session.js';
import { beginResume } from '../../../agents/acp/resume-session.js';
import { type ResolvedStep, resolveStep } from '../../../agents/resolve-step.js';
import type { ApprovalMode, ProviderConfig } from '../../../api/provider-config.js';
import { ProviderError } from '../../../base/errors/provider-error.js';
import { readEnvironment } from '../../../base/process/environment.js';
import { LONGEST_TIMER_SECONDS } from '../../../base/process/longest-timer.js';
import { createPrivateDirectory } from '../../../base/process/private-directory.js';
import { acceptConfig } from '../../../config/accept-config.js';
import type { SessionSink } from '../session-driver.js';
import { AcpSessionDriver } from './acp-session-driver.js';

/** A request is never denied by a limit of time, as far as timers of Node.js go: 24 days. With its unit, the number is not taken for milliseconds. */
const PERMISSION_TIMEOUT = `${LONGEST_TIMER_SECONDS}s`;

export interface OpenAcpSession {
  /** Configuration of the server for all its sessions. */
  readonly config: ProviderConfig;
  readonly pool: AgentPool;
  readonly folder: string;
  readonly model: string | undefined;
  readonly mode: ApprovalMode;
  /** Modes that a device may choose. */
  readonly modes: readonly ApprovalMode[];
  /** Id of the CLI's session to continue. */
  readonly resume: string | undefined;
  readonly sink: SessionSink;
  readonly signal: AbortSignal;
  readonly onExit: () => void;
}

/**
 * Prepares the start of a session of the Gemini CLI, or its return: everything that can be refused is checked, and nothing runs yet.
 * The function that is returned resolves when the session takes prompts. Both throw a `ProviderError`.
 */
export async function prepareAcpSession(
  options: OpenAcpSession,
): Promise<() => Promise<AcpSessionDriver>> {
  const { folder, model, mode, modes, resume, sink, signal, onExit } = options;
  const driver = new AcpSessionDriver({ sink, profile: geminiProfile, modes, model, onExit });
  const overrides: ProviderConfig = {
    workingDir: folder,
    transport: 'acp',
    approvalMode: mode,
    onPermission: (request) => driver.decide(request),
    permissionTimeout: PERMISSION_TIMEOUT,
    ...(model === undefined ? {} : { model }),
    ...(resume === undefined ? {} : { resume }),
  };
  const { config } = acceptConfig({ ...options.config, ...overrides }, {}, 'gemini');
  const generationId = randomUUID();
  const request = { generationId, config, context: {}, signal };
  const resolved = await resolveStep(request, readEnvironment());
  const trust = resolved.cliSettings?.trust;
  if (trust !== undefined && !trust.isTrusted && trust.isRefused)
    throw new ProviderError({ code: 'UNTRUSTED_WORKSPACE', message: trust.message });
  return () => startAcpSession(options, resolved, driver);
}

async function startAcpSession(
  { folder, pool, signal }: OpenAcpSession,
  resolved: ResolvedStep,
  driver: AcpSessionDriver,
): Promise<AcpSessionDriver> {
  const { config } = resolved;
  const directory = await createPrivateDirectory();
  try {
    const resumed = await beginResume(resolved, directory, signal);
    const launch = createGeminiLaunch({
      cli: resolved.cli.location,
      cliVersion: resolved.cli.version,
      config,
      includeDirectories: resolved.includeDirectories,
      workingDir: folder,
      env: resolved.env,
      systemPrompt: undefined,
      geminiHome: resolved.geminiHome,
      isolation: resolved.isolation,
    });
    const onEvent = driver.onEvent.bind(driver);
    const profile = geminiProfile;
    driver.start(
      await LiveSession.open({ resolved, pool, launch, profile, resumed, onEvent, signal }),
    );
    return driver;
  } finally {
    await directory.remove();
  }
}
