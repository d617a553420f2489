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
  type ConfigInput,
  GeminiCliProvider,
  type GenerateContext,
  type GenerateResult,
  type OptionsInput,
  ProviderError,
} from 'gemini-cli-provider';
import {
  type Script,
  type ScriptedModelOptions,
  startScriptedModel,
} from 'gemini-cli-provider/testing';
import { onTestFinished } from 'vitest';

type Cleanup = typeof onTestFinished;

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
  readonly model: Awaited<ReturnType<typeof startScriptedModel>>;
  readonly workspace: string;
  readonly provider: GeminiCliProvider;
  run(prompt?: string, options?: OptionsInput, context?: GenerateContext): Promise<GenerateResult>;
  /** Runs a step that must fail. */
  fail(prompt?: string, options?: OptionsInput, context?: GenerateContext): Promise<ProviderError>;
}

export interface LabOptions extends ScriptedModelOptions {
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly config?: ConfigInput;
  /** Concurrent tests must give their own. */
  readonly cleanup?: Cleanup;
}

/** The real CLI against a scripted model, in a workspace of its own. */
export async function openLab(script: Script, options: LabOptions = {}): Promise<Lab> {
  const cleanup = options.cleanup ?? onTestFinished;
  const model = await startScriptedModel(script, options);
  const workspace = makeFolder(options.files, cleanup);
  const provider = new GeminiCliProvider({
    model: 'gemini-2.5-flash',
    workingDir: workspace,
    env: model.env,
    trustWorkspace: true,
    cliPath: GEMINI,
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

/** The CLI that this project pins. */
export const GEMINI = join(import.meta.dirname, '..', 'node_modules', '.bin', 'gemini');

export function read(...path: string[]): string {
  return readFileSync(join(...path), 'utf8');
}

/** Living processes that the runs of a lab have started, by the home they were given. */
export function findRunProcesses({ model }: Lab): { pid: number; command: string }[] {
  return findProcesses(`GEMINI_CLI_HOME=${model.home}`);
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
