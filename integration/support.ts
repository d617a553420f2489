import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  GeminiCliProvider,
  type GenerateContext,
  type GenerateOptions,
  type GenerateResult,
  type ProviderConfig,
  ProviderError,
} from 'gemini-cli-provider';
import {
  type Script,
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
} from 'gemini-cli-provider/testing';
import { beforeAll, onTestFinished } from 'vitest';
import type { WarmCli } from './warm-cli.js';

// Each Node process would read this file first, which takes a twentieth of its start. No test goes online.
delete process.env['NODE_EXTRA_CA_CERTS'];

type Cleanup = (end: () => void | Promise<void>) => void;

/** Creates a folder that is removed after the test. */
export function makeFolder(
  files: Readonly<Record<string, string | Buffer>> = {},
  cleanup: Cleanup = onTestFinished,
): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'integration-')));
  cleanup(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

export interface Lab {
  readonly model: ScriptedModel;
  /** Folder with the settings and sessions of the CLI. */
  readonly home: string;
  readonly workspace: string;
  readonly provider: GeminiCliProvider;
  run(
    prompt?: string,
    options?: GenerateOptions,
    context?: GenerateContext,
  ): Promise<GenerateResult>;
  /** Runs a step that must fail. */
  fail(
    prompt?: string,
    options?: GenerateOptions,
    context?: GenerateContext,
  ): Promise<ProviderError>;
}

export interface LabOptions extends ScriptedModelOptions {
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly config?: ProviderConfig;
  /** Registers a clean-up. Concurrent tests must pass their own `onTestFinished`. */
  readonly cleanup?: Cleanup;
  /** Warm processes that spare the start of a new one. Their home does not have the settings of the test. */
  readonly warmCli?: WarmCli | undefined;
}

/** Starts a scripted model, and creates a workspace and a provider for the real CLI. */
export async function openLab(script: Script, options: LabOptions = {}): Promise<Lab> {
  const cleanup = options.cleanup ?? onTestFinished;
  const model = await startScriptedModel(script, { settings: options.settings });
  const workspace = makeFolder(options.files, cleanup);
  const { home, config } = options.warmCli?.connectTo(model) ?? {
    home: model.home,
    config: { env: model.env },
  };
  const provider = new GeminiCliProvider({
    model: 'gemini-2.5-flash',
    workingDir: workspace,
    trustWorkspace: true,
    cliPath: GEMINI,
    ...config,
    ...options.config,
  });
  cleanup(async () => {
    await provider.dispose();
    await model.close();
  });
  const run: Lab['run'] = (prompt = 'go', more = {}, context = {}) => {
    return provider.generate(prompt, context, more);
  };
  return {
    model,
    home,
    workspace,
    provider,
    run,
    fail: async (prompt, more, context) => {
      const outcome = await run(prompt, more, context).catch((error: unknown) => error);
      if (ProviderError.isInstance(outcome)) return outcome;
      throw new Error(`The step should have failed: ${JSON.stringify(outcome)}`);
    },
  };
}

/** Opens one lab for all tests of a block. The returned function gives the lab inside of a test. */
export function shareLab(script: Script, options: LabOptions = {}): () => Lab {
  let shared: Lab | undefined;
  beforeAll(async () => {
    const ends: Parameters<Cleanup>[0][] = [];
    shared = await openLab(script, { ...options, cleanup: (end) => ends.unshift(end) });
    return async () => {
      for (const end of ends) await end();
    };
  });
  return () => {
    if (shared === undefined)
      throw new Error(
        'The lab is opened before the first test: call this function inside of a test',
      );
    return shared;
  };
}

/** Path of the CLI: the one that package.json pins, or another version in `npm run test:versions`. */
export const GEMINI =
  process.env['GEMINI_UNDER_TEST'] ??
  join(import.meta.dirname, '..', 'node_modules', '.bin', 'gemini');

export function read(...path: string[]): string {
  return readFileSync(join(...path), 'utf8');
}

/** Finds live processes that a lab has started, by the home in their environment. */
export function findLabProcesses({ home }: Lab): { pid: number; command: string }[] {
  return findProcesses(`GEMINI_CLI_HOME=${home}`);
}

/** Finds live processes with this entry in their environment. Linux only. */
export function findProcesses(entry: string): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const entries = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
        const isZombie = / Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
        const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
        const isOurs = entries.includes(entry) && !isZombie;
        return isOurs ? { pid: Number(pid), command } : [];
      } catch {
        return [];
      }
    });
}
