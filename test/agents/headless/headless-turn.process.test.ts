import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TurnOutcome, TurnRequest } from '../../../src/agents/driver.js';
import { TurnFold } from '../../../src/agents/events/turn-fold.js';
import { findCli } from '../../../src/agents/gemini/find-cli.js';
import { runHeadlessTurn } from '../../../src/agents/headless/headless-turn.js';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import { NO_ISOLATION } from '../../../src/base/process/isolation.js';
import { createPrivateDirectory } from '../../../src/base/process/private-directory.js';
import { PROCESS_TAG_VARIABLE, ProcessTree } from '../../../src/base/process/process-tree.js';
import { closeIdleReaper } from '../../../src/base/process/reaper.js';
import { silentLogger } from '../../../src/config/logging.js';
import { resolveConfig } from '../../../src/config/resolve-config.js';
import { failureOf, makeFolder, program } from '../../fixtures/cli/support.js';

interface Drive {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly cliVersion?: string;
}

async function open(cliPath: string, { config = {}, cliVersion }: Drive = {}) {
  const directory = await createPrivateDirectory();
  const generationId = randomUUID();
  const observed: AgentEvent[] = [];
  const step = {
    generationId,
    config: resolveConfig(config),
    cli: { location: findCli({ cliPath, workingDir: '/', env: {} }), version: cliVersion },
    workingDir: directory.path,
    includeDirectories: ['/included'],
    env: { PATH: process.env['PATH'] ?? '', [PROCESS_TAG_VARIABLE]: generationId },
    isolation: NO_ISOLATION,
    logger: silentLogger,
  };
  const request: TurnRequest = {
    prompt: {
      text: 'the prompt',
      warnings: [],
      moreDirectories: ['/private'],
      systemPromptFile: undefined,
    },
    directory,
    spentMs: 0,
    mayContinue: false,
    fold: new TurnFold(),
    observe: (event) => {
      const handedOut = { ...event };
      observed.push(handedOut);
      return handedOut;
    },
  };
  const turn = runHeadlessTurn(step, request, { signal: undefined });
  return { turn, directory, observed, left: () => new ProcessTree({ tag: generationId }).living() };
}

/** Runs a turn to its end. Checks that every event was observed before it was handed out. */
async function drive(cliPath: string, options: Drive = {}) {
  const { turn, directory, observed, left } = await open(cliPath, options);
  const events: AgentEvent[] = [];
  try {
    for (;;) {
      const next = await turn.next();
      if (next.done === true) return { events, outcome: next.value, left: left() };
      events.push(next.value);
      expect(observed.at(-1)).toBe(next.value);
    }
  } finally {
    await directory.remove();
  }
}

const types = (events: readonly AgentEvent[]) => events.map(({ type }) => type);
const textOf = (events: readonly AgentEvent[]) => {
  return events.map((event) => ('text' in event ? event.text : '')).join('');
};

/** Reads the arguments of the CLI process. */
function argsOf({ call }: Pick<TurnOutcome, 'call'>): string[] {
  return 'args' in call && Array.isArray(call.args) ? call.args.map(String) : [];
}

afterAll(closeIdleReaper);

describe('a headless turn', () => {
  it('passes the prompt on stdin, and everything else as arguments', async () => {
    const config = { model: 'flash', sessionId: 'chosen', extraArgs: ['--debug'] };
    const { events, outcome, left } = await drive(program('answering.mjs'), { config });
    expect(types(events)).toEqual(['session-init', 'text-delta']);
    const args = [
      '--output-format=stream-json',
      '--approval-mode=default',
      '--model=flash',
      '--include-directories=/included',
      '--include-directories=/private',
      expect.stringMatching(/^--policy=.*policy\.toml$/),
      '--session-id=chosen',
      '--debug',
    ];
    expect(JSON.parse(textOf(events))).toEqual({ args, prompt: 'the prompt' });
    expect(outcome).toMatchObject({
      transport: 'headless',
      exit: { exitCode: 0, stderr: '', stopReason: undefined, endedAfterResult: false },
      facts: {
        terminal: { status: 'success', stats: { total_tokens: 12 } },
        wireEvents: 3,
        isTorn: false,
      },
      usage: { total: 12 },
      call: { args },
      warnings: [],
      reportFiles: [],
    });
    expect(left).toEqual([]);
  });

  it('kills the processes that the CLI left behind, and warns about them', async () => {
    const { outcome, left } = await drive(program('scattering.mjs'));
    const [warning] = outcome.warnings;
    expect(warning?.code).toBe('PROCESSES_LEFT');
    expect(warning?.count).toBeGreaterThanOrEqual(6);
    expect(outcome.exit.exitCode).toBe(0);
    expect(left).toEqual([]);
  });

  it('reports retries between the events, and stops at the limit', async () => {
    const config = { maxCliAttempts: 3 };
    const { events, outcome } = await drive(program('retrying.mjs'), { config });
    expect(types(events.slice(0, 3))).toEqual(['session-init', 'session-status', 'session-status']);
    expect(outcome.exit.stopReason).toMatchObject({ kind: 'attempts', attempts: 3 });
  });

  it('ends when the caller leaves the event loop', async () => {
    const { turn, directory, left } = await open(program('waiting.mjs'));
    for await (const event of turn) if (event.type === 'text-delta') break;
    expect(left()).toEqual([]);
    await directory.remove();
  });
});

describe('rules for tools in a headless turn', () => {
  const config = { allowedTools: ['write_file', 'run_shell_command(npm test)'] };

  it('are written into a private policy file', async () => {
    const { turn, directory } = await open(program('answering.mjs'), { config });
    const events: AgentEvent[] = [];
    for await (const event of turn) events.push(event);
    const file = directory.file('policy.toml');
    expect(textOf(events)).toContain(`"--policy=${file}"`);
    expect(readFileSync(file, 'utf8')).toContain('commandPrefix = "npm test"');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await directory.remove();
  });

  it('are passed as --allowed-tools if the CLI does not know policies', async () => {
    const { events, outcome } = await drive(program('without-policy.mjs'), { config });
    const rules = ['--allowed-tools=write_file', '--allowed-tools=run_shell_command(npm test)'];
    const args = argsOf(outcome);
    expect(args).toEqual(expect.arrayContaining(rules));
    expect(args.filter((arg) => /policy|session-id/.test(arg))).toEqual([]);
    expect(types(events)).toEqual(['session-init', 'text-delta']);
    expect(outcome.exit).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it.each([
    ['deniedTools', ['write_file'], '0.34.0'],
    ['sessionId', 'chosen', '0.41.0'],
  ])(
    'fail the turn, like other options, if the CLI does not support them (%s)',
    async (key, value, version) => {
      const act = () => drive(program('without-policy.mjs'), { config: { [key]: value } });
      expect(await failureOf(act)).toMatchObject({
        code: 'CLI_NOT_FOUND',
        message: `This version of the CLI is too old for ${key}`,
        hint: expect.stringContaining(version),
      });
    },
  );
});

describe('a CLI without stream-json', () => {
  it('is started with json after its usage errors about all other flags', async () => {
    const config = { allowedTools: ['write_file'] };
    const { events, outcome } = await drive(program('json-only.mjs'), { config });
    expect(types(events)).toEqual(['text']);
    expect(textOf(events)).toBe(argsOf(outcome).join(' '));
    expect(argsOf(outcome)).toEqual([
      '--output-format=json',
      '--approval-mode=auto_edit',
      '--include-directories=/included',
      '--include-directories=/private',
      '--allowed-tools=write_file',
    ]);
    expect(outcome).toMatchObject({
      exit: { exitCode: 0, stderr: '' },
      facts: {
        terminal: { status: 'success', stats: { total_tokens: 12, input_tokens: 10 } },
        wireEvents: 1,
      },
    });
  });

  it('may print its error as JSON on stderr', async () => {
    const { events, outcome } = await drive(program('json-error.mjs'), { cliVersion: '0.10.9' });
    expect(types(events)).toEqual(['session-init']);
    expect(outcome.exit.exitCode).toBe(144);
    expect(outcome.facts.terminal).toMatchObject({
      status: 'error',
      error: { message: 'API key not valid. Please pass a valid API key.' },
    });
  });

  it('may print nothing until it has finished', async () => {
    const answer = `{"response":"late","stats":{"models":{"m":{"tokens":{"total":1}}}}}`;
    const slow = join(
      makeFolder({ 'gemini*': `#!/bin/sh\nsleep 0.4\necho '${answer}'\n` }),
      'gemini',
    );
    const options = { cliVersion: '0.10.0', config: { startTimeout: 0.1 } };
    expect(textOf((await drive(slow, options)).events)).toBe('late');
  });
});

describe('a usage error about another argument', () => {
  it('does not start the CLI again', async () => {
    const folder = makeFolder({
      'gemini*': `#!/bin/sh\necho tried >> ${'"$(dirname "$0")/tries"'}\necho 'Unknown arguments: such-flag, suchFlag\nUsage: gemini [options] [command]' >&2\nexit 1\n`,
    });
    const { outcome } = await drive(join(folder, 'gemini'));
    expect(outcome.exit).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('such-flag'),
    });
    expect(readFileSync(join(folder, 'tries'), 'utf8')).toBe('tried\n');
  });
});

describe('a CLI that does not exit after its result', () => {
  it('is stopped, and the turn is a success', async () => {
    // Fake timers shorten the wait of five seconds.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const haste = setInterval(() => vi.advanceTimersByTime(250), 10);
    onTestFinished(() => {
      clearInterval(haste);
      vi.useRealTimers();
    });
    const { events, outcome, left } = await drive(program('lingering.mjs'));
    expect(textOf(events)).toBe('all said');
    expect(outcome.facts.terminal?.status).toBe('success');
    expect(outcome.exit).toMatchObject({ stopReason: undefined, endedAfterResult: true });
    expect(left).toEqual([]);
  });
});

describe('a CLI that prints forever', () => {
  const flooding = (script: string) => {
    return join(makeFolder({ 'gemini*': `#!/bin/sh\n${script}\n` }), 'gemini');
  };
  const INIT = '{"type":"init","session_id":"s","model":"m"}';
  const RESULT =
    '{"type":"result","status":"success","stats":{"total_tokens":5,"models":{"m":{}}}}';

  it('is a success after its result, and little of the rest is read', async () => {
    const cli = flooding(`echo '${INIT}'; echo '${RESULT}'; exec yes more`);
    const { outcome, left } = await drive(cli);
    expect(outcome.facts.terminal?.status).toBe('success');
    expect(outcome.exit).toMatchObject({ stopReason: undefined, endedAfterResult: true });
    const noise = outcome.warnings.find(({ code }) => code === 'NON_JSON_OUTPUT');
    expect(noise?.count).toBeLessThan((20 * 2 ** 20) / 'more\n'.length);
    expect(left).toEqual([]);
  });

  it('is stopped if it has no stream-json, and its output is not used as an answer', async () => {
    // A sparse file: large, but almost empty on the disk.
    const cli = flooding('truncate -s 2G /proc/self/fd/1; exec sleep 30');
    const { events, outcome } = await drive(cli, { cliVersion: '0.10.0' });
    expect(events).toEqual([]);
    expect(outcome.exit.stopReason).toMatchObject({ kind: 'flood', stream: 'stdout' });
  });
});

describe('a retry just before the exit', () => {
  it('is still reported', async () => {
    const { events } = await drive(program('retries-late.mjs'));
    expect(events).toContainEqual(expect.objectContaining({ type: 'session-status', attempt: 1 }));
  });
});
