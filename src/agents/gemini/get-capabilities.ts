import { randomUUID } from 'node:crypto';
import type { CapabilitiesOptions, CliCapabilities, ModelOffer } from '../../api/capabilities.js';
import { type Environment, readEnvironment } from '../../base/process/environment.js';
import { acceptConfig } from '../../config/accept-config.js';
import type { Choice, SessionOptions } from '../acp/session-options.js';
import { type ResolvedStep, resolveStep } from '../resolve-step.js';
import { acceptCapabilitiesOptions } from './accept-capabilities-options.js';
import { askCli } from './ask-cli.js';
import { featuresOf } from './cli-features.js';
import { withCompileCache } from './compile-cache.js';
import { findCli } from './find-cli.js';

const KNOWN_MODELS: readonly ModelOffer[] = [
  { id: 'auto', name: 'Auto' },
  { id: 'pro', name: 'Pro' },
  { id: 'flash', name: 'Flash' },
  { id: 'flash-lite', name: 'Flash Lite' },
  { id: 'gemini-2.5-pro', name: 'Gemini 2.5 Pro' },
  { id: 'gemini-2.5-flash', name: 'Gemini 2.5 Flash' },
  { id: 'gemini-2.5-flash-lite', name: 'Gemini 2.5 Flash Lite' },
];

const CONTEXT_WINDOW = 1_048_576;

/** Returns the features of the installed CLI, or of the newest version if none is installed. `ask` needs a CLI. */
export async function getCapabilities(options: CapabilitiesOptions = {}): Promise<CliCapabilities> {
  const checked = acceptCapabilitiesOptions(options, 'getCapabilities');
  const resolved = await findInstalledCli(checked);
  const cli = resolved?.cli;
  const features = featuresOf(cli?.version);
  const offer =
    checked.ask === true && resolved !== undefined ? await askInstalledCli(resolved) : undefined;
  const models = offersOf(offer?.model);
  return {
    tool: 'gemini',
    cliPath: cli?.location.path,
    cliVersion: cli?.version,
    supportsSlashCommands: false,
    supportsModels: true,
    models: models ?? KNOWN_MODELS,
    modelsFrom: models === undefined ? 'known' : 'cli',
    supportsWebSearch: true,
    supportsThinking: true,
    supportsPlanMode: features.planMode,
    supportsPermissionModes: true,
    permissionModes: ['default', 'auto_edit', 'yolo', ...(features.planMode ? ['plan'] : [])],
    permissionModeType: 'toggle',
    supportsInterrupt: true,
    supportsResume: features.resume,
    supportsAttach: false,
    supportsStatusLine: false,
    supportsImages: true,
    supportsStreaming: features.streamJson,
    supportsAcp: true,
    supportsPolicies: features.policy,
    supportsSessionId: features.sessionId,
    maxContextWindow: CONTEXT_WINDOW,
    effortLevels: [],
  };
}

async function askInstalledCli(resolved: ResolvedStep): Promise<SessionOptions> {
  const { cli, env } = withCompileCache(resolved, readEnvironment());
  return askCli(cli, env);
}

/** Returns undefined if no CLI is installed. Throws if the CLI cannot be used, or is missing but was named or asked. */
async function findInstalledCli({
  ask,
  cliPath,
  workingDir,
}: CapabilitiesOptions): Promise<ResolvedStep | undefined> {
  const { config } = acceptConfig({ cliPath, workingDir });
  const environment = readEnvironment();
  const isNamed = cliPath !== undefined || Boolean(environment['GEMINI_CLI_PATH']);
  const isWanted = ask === true || isNamed;
  if (!isWanted && !isInstalled(config.workingDir ?? '.', environment)) return undefined;
  return resolveStep({ generationId: randomUUID(), config, context: {} }, environment);
}

function isInstalled(workingDir: string, env: Environment): boolean {
  try {
    findCli({ cliPath: undefined, workingDir, env });
    return true;
  } catch {
    return false;
  }
}

function offersOf(choice: Choice | undefined): ModelOffer[] | undefined {
  return choice?.offered.map(({ id, name }) => ({ id, name: name ?? id }));
}
