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
  type Untyped,
} from 'gemini-cli-provider';
import {
  type Script,
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
} from 'gemini-cli-provider/testing';
import { beforeAll, onTestFinished } from 'vitest';
import type { WarmCli } from './warm-cli.js';

// Nothing here goes online, and every node that starts would read this file first: a twentieth of its start.
delete process.env['NODE_EXTRA_CA_CERTS'];

type Cleanup = (end: () => void | Promise<void>) => void;

/** A folder for one test, gone after it. */
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
  /** Where the CLI has its settings and sessions. */
  readonly home: string;
  readonly workspace: string;
  readonly provider: GeminiCliProvider;
  run(
    prompt?: string,
    options?: Untyped<GenerateOptions>,
    context?: GenerateContext,
  ): Promise<GenerateResult>;
  /** Runs a step that must fail. */
  fail(
    prompt?: string,
    options?: Untyped<GenerateOptions>,
    context?: GenerateContext,
  ): Promise<ProviderError>;
}

export interface LabOptions extends ScriptedModelOptions {
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly config?: Untyped<ProviderConfig>;
  /** Concurrent tests must give their own. */
  readonly cleanup?: Cleanup;
  /** Spares the start of a process. Its home has no settings of the test's own. */
  readonly warmCli?: WarmCli | undefined;
}

/** The real CLI against a scripted model, in a workspace of its own. */
export async function openLab(script: Script, options: LabOptions = {}): Promise<Lab> {
  const cleanup = options.cleanup ?? onTestFinished;
  const model = await startScriptedModel(script, options);
  const workspace = makeFolder(options.files, cleanup);
  const { home, config } = options.warmCli?.lead(model) ?? {
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
      throw new Error(`the run should have failed: ${JSON.stringify(outcome)}`);
    },
  };
}

/** A lab for all tests of a block, which is to be asked for in each of them. */
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
    if (shared === undefined) throw new Error('the lab is opened before the first test');
    return shared;
  };
}

/** The CLI that this project pins. */
export const GEMINI = join(import.meta.dirname, '..', 'node_modules', '.bin', 'gemini');

export function read(...path: string[]): string {
  return readFileSync(join(...path), 'utf8');
}

/** Living processes that the runs of a lab have started, by the home they were given. */
export function findRunProcesses({ home }: Lab): { pid: number; command: string }[] {
  return findProcesses(`GEMINI_CLI_HOME=${home}`);
}

/** Living processes with this entry in their environment. */
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
