import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AgentEvent, type GenerateResult, getCapabilities } from 'gemini-cli-provider';
import {
  findSessionFile,
  getMessages,
  listSessions,
  projectName,
  readSession,
  type Session,
  type SessionUpdate,
  toUnifiedMessages,
  type UnifiedMessage,
  watchSession,
} from 'gemini-cli-provider/sessions';
import type { Script } from 'gemini-cli-provider/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { GEMINI, type Lab, makeFolder, openLab } from './support.js';
import { replace, write } from './tool-calls.js';

/** Script whose session contains every kind of message and block. */
const SCRIPT: Script = [
  {
    prompt: 'SUBTASK',
    turns: [
      { toolCalls: [write('sub.txt', 'by sub-agent\n')] },
      { toolCalls: [{ name: 'complete_task', args: { result: { response: 'done' } } }] },
    ],
  },
  { prompt: 'again', turns: [{ thoughts: ['**Again** Hm.'], text: 'Resumed.' }] },
  {
    turns: [
      {
        thoughts: ['**Plan** First I write.'],
        text: 'Writing.',
        toolCalls: [write('a.txt', 'one\n'), write('b.txt', 'two\n')],
      },
      {
        toolCalls: [
          replace('a.txt', 'one', 'uno'),
          { name: 'read_file', args: { file_path: 'missing.txt' } },
        ],
      },
      {
        toolCalls: [
          { name: 'invoke_agent', args: { agent_name: 'generalist', prompt: 'SUBTASK' } },
        ],
      },
      // The delay lets the watcher report the earlier messages while the step is still running.
      { thoughts: ['**End** All is done.'], text: ['All ', 'done.'], latencyMs: 1200 },
    ],
  },
];

interface Watched {
  readonly update: SessionUpdate;
  readonly isRunning: boolean;
}

/** Runs a step and watches its session at the same time. */
async function runWatched(lab: Lab, prompt: string) {
  const events: AgentEvent[] = [];
  const watched: Watched[] = [];
  const controller = new AbortController();
  let isRunning = true;
  let watching: Promise<void> | undefined;
  const watch = async (id: string) => {
    const options = { ...locationOf(lab), signal: controller.signal };
    while ((await findSessionFile(id, locationOf(lab))) === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for await (const update of watchSession(id, options)) watched.push({ update, isRunning });
  };
  for await (const event of lab.provider.stream(prompt)) {
    events.push(event);
    if (event.type === 'session-init') watching ??= watch(event.sessionId);
  }
  isRunning = false;
  const end = events.at(-1);
  const result = end?.type === 'turn-complete' ? end.result : undefined;
  if (result?.sessionId === undefined) throw new Error('The step should have succeeded');
  const isAllSeen = () => watched.some(({ update }) => textsIn(update).includes('All done.'));
  await vi.waitUntil(isAllSeen, { timeout: 10_000 });
  controller.abort();
  await watching;
  return { events, result, sessionId: result.sessionId, watched };
}

function locationOf({ model, workspace }: Lab) {
  return { geminiHome: join(model.home, '.gemini'), projectDir: workspace };
}

function textsIn(update: SessionUpdate): string[] {
  if (update.type !== 'message') return [];
  return update.message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}

function blocksOf(messages: readonly UnifiedMessage[]) {
  return messages.flatMap(({ content }) => content);
}

/** Lists the paths that a session and the sessions of its sub-agents record as written. */
async function editedPaths(lab: Lab, session: Session): Promise<string[]> {
  const all = await listSessions({ ...locationOf(lab), subagents: true });
  const children = all.filter(({ parentId }) => parentId === session.header?.sessionId);
  const sessions = [session, ...(await Promise.all(children.map(({ file }) => readSession(file))))];
  const calls = sessions.flatMap(({ messages }) => messages.flatMap((one) => one.toolCalls ?? []));
  const paths = calls.flatMap(({ name, status, resultDisplay }) => {
    const isEdit = (name === 'write_file' || name === 'replace') && status === 'success';
    const path = isEdit ? Object(resultDisplay).filePath : undefined;
    return typeof path === 'string' ? [path] : [];
  });
  return [...new Set(paths)].sort();
}

function writtenPaths({ files }: GenerateResult): string[] {
  return files.map(({ absolutePath }) => absolutePath).sort();
}

/** Describes every entry of a folder: name, times and content. */
function stateOf(root: string): object[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  return ['', ...names].map((name) => {
    const stats = statSync(join(root, name));
    const content = stats.isFile() ? readFileSync(join(root, name), 'utf8') : undefined;
    return { name, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs, content };
  });
}

describe.each(['headless', 'acp'] as const)('a session of the real CLI over %s', (transport) => {
  it('reads back complete, and matches the events and files of the step', async () => {
    const lab = await openLab(SCRIPT, { config: { transport, approvalMode: 'yolo' } });
    const { events, result, sessionId, watched } = await runWatched(lab, 'Go on.');
    const location = locationOf(lab);
    const before = stateOf(location.geminiHome);

    const file = await findSessionFile(sessionId, location);
    const session = await readSession(file ?? '');
    expect(session).toMatchObject({ complete: true, header: { sessionId } });
    for (const extras of ['omit', 'mark'] as const) {
      const unified = toUnifiedMessages(session, { extras });
      expect(toUnifiedMessages(events, { extras })).toEqual(unified);
      expect(await getMessages(sessionId, { ...location, extras })).toEqual(unified);
    }

    const messages = toUnifiedMessages(session);
    const uses = blocksOf(messages).filter((block) => block.type === 'tool_use');
    expect(uses.map(({ name }) => name)).toEqual(['Write', 'Write', 'Edit', 'Read', 'Task']);
    const results = blocksOf(messages).filter((block) => block.type === 'tool_result');
    expect(results.map((block) => block.is_error)).toEqual([false, false, false, true, false]);
    const thoughts = blocksOf(messages).filter((block) => block.type === 'thinking');
    expect(thoughts.map(({ thinking }) => thinking)).toEqual([
      'Plan: First I write.',
      'End: All is done.',
    ]);
    expect(messages[0]).toMatchObject({ role: 'user', content: [{ text: 'Go on.' }] });
    expect(messages.at(-1)).toMatchObject({
      role: 'assistant',
      content: [{ type: 'thinking' }, { text: 'All done.' }],
      model: 'gemini-2.5-flash',
      usage: { input_tokens: 100, output_tokens: 10 },
    });

    expect(await editedPaths(lab, session)).toEqual(writtenPaths(result));
    expect(result.files.map(({ path }) => path)).toEqual(['a.txt', 'b.txt', 'sub.txt']);

    const live = toUnifiedMessages(events.filter(({ type }) => type !== 'session-messages'));
    const liveUses = blocksOf(live).filter((block) => block.type === 'tool_use');
    const names = (blocks: typeof uses) => blocks.map(({ id, name }) => `${id} ${name}`);
    expect(names(liveUses)).toEqual(names(uses));

    // The watcher reports the final form of each message, and the first messages while the step is running.
    const last = new Map<string, UnifiedMessage>();
    for (const { update } of watched) {
      if (update.type === 'message') last.set(update.message.id, update.message);
    }
    expect(
      [...last.values()].toSorted((a, b) => orderIn(messages, a) - orderIn(messages, b)),
    ).toEqual(messages);
    const early = watched.filter(({ isRunning }) => isRunning).map(({ update }) => update);
    expect(early.flatMap(textsIn)).toContain('Writing.');
    expect(early).toContainEqual(expect.objectContaining({ type: 'status' }));

    const short = sessionId.slice(0, 8);
    for (const wanted of [short, 'latest', 1]) {
      expect(await findSessionFile(wanted, location)).toBe(file);
    }
    expect(await listSessions(location)).toMatchObject([
      { id: sessionId, file, number: 1, firstPrompt: 'Go on.', messageCount: messages.length },
    ]);
    expect(projectName(lab.workspace, location)).toBe(
      dirname(dirname(file ?? ''))
        .split('/')
        .at(-1),
    );
    expect(stateOf(location.geminiHome)).toEqual(before);

    if (transport === 'headless') await resume(lab, session);
  });
});

function orderIn(messages: readonly UnifiedMessage[], { id }: UnifiedMessage): number {
  return messages.findIndex((message) => message.id === id);
}

/** Resumes the session and checks that no message is lost or doubled. Headless only: over ACP a resume waits for the next minute. */
async function resume(lab: Lab, before: Session): Promise<void> {
  const id = before.header?.sessionId;
  const result = await lab.run('And again.', { resume: id });
  const location = locationOf(lab);
  const file = (await findSessionFile(id ?? '', location)) ?? '';
  expect(result.sessionId).toBe(id);
  expect(await readSession(file)).toMatchObject({ complete: true, header: { sessionId: id } });
  const messages = await getMessages(id ?? '', location);
  const prompts = messages.filter(({ role, content }) => {
    return role === 'user' && content[0]?.type === 'text';
  });
  expect(blocksOf(prompts)).toMatchObject([{ text: 'Go on.' }, { text: 'And again.' }]);
  expect(blocksOf(messages.slice(-1))).toMatchObject([
    { thinking: 'Again: Hm.' },
    { text: 'Resumed.' },
  ]);
  // The CLI has written the earlier calls and results again; each is read once.
  const calls = (all: readonly UnifiedMessage[]) =>
    blocksOf(all).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
  const answers = (all: readonly UnifiedMessage[]) =>
    blocksOf(all).flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
  expect(calls(messages)).toEqual(calls(toUnifiedMessages(before)));
  expect(answers(messages)).toEqual(answers(toUnifiedMessages(before)));
  expect(await listSessions(location)).toMatchObject([{ id, file, number: 1 }]);
}

describe('the numbers of sessions', () => {
  it('are those of `gemini --list-sessions`', async () => {
    const lab = await openLab([{ text: 'A summary' }]);
    const { geminiHome, projectDir } = locationOf(lab);
    const time = (minute: number) => new Date(Date.UTC(2026, 10, 16, 0, minute)).toISOString();
    const user = (text: string) => ({ id: 'u', type: 'user', content: [{ text }] });
    const header = (sessionId: string, minute: number) => {
      const [startTime, lastUpdated] = [time(minute), time(minute)];
      return { sessionId, projectHash: 'x', startTime, lastUpdated, kind: 'main' };
    };
    const put = (name: string, ...records: readonly object[]) => {
      const path = join(geminiHome, 'tmp/app/chats', name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    };
    const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
    put('session-a-aaaaaaaa.jsonl', header('third', 3), user('hello'));
    put('session-b-bbbbbbbb.jsonl', header('first', 1), user('hello'));
    put('session-c-cccccccc.jsonl', header('command', 2), user('/help'));
    put('session-d-dddddddd.jsonl', header('second', 2), user('/help'), {
      id: 'g',
      type: 'gemini',
      content: 'answer',
    });
    put('session-e-eeeeeeee.jsonl', { ...header('agent', 0), kind: 'subagent' }, user('hello'));
    put('session-f-ffffffff.jsonl', header('first', 9), user('<session_context>'));
    put('copy.jsonl', header('copy', 0), user('hello'));
    put('session-h-hhhhhhhh.jsonl', header('fifth', 5), { ...user(''), content: [image] });
    put('session-i-iiiiiiii.jsonl', header('taken back', 7), user('hello'), { $rewindTo: 'u' });
    const old = { ...header('fourth', 4), messages: [user('hello')] };
    writeFileSync(
      join(geminiHome, 'tmp/app/chats/session-k-kkkkkkkk.json'),
      JSON.stringify(old, null, 2),
    );
    writeFileSync(
      join(geminiHome, 'projects.json'),
      JSON.stringify({ projects: { [projectDir]: 'app' } }),
    );
    const ours = (await listSessions({ geminiHome, projectDir }))
      .filter(({ number }) => number !== undefined)
      .toSorted((a, b) => Number(a.number) - Number(b.number))
      .map(({ id, number }) => `${number} ${id}`);
    const listed = await listByCli(lab);
    expect(listed).toEqual(['1 first', '2 second', '3 third', '4 fourth', '5 fifth']);
    expect(ours).toEqual(listed);
  });
});

function listByCli({ model, workspace }: Lab): Promise<string[]> {
  const env = {
    PATH: process.env['PATH'],
    GEMINI_CLI_NO_RELAUNCH: 'true',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    ...model.env,
  };
  return new Promise((resolve, reject) => {
    const args = [GEMINI, '--list-sessions'];
    execFile(process.execPath, args, { cwd: workspace, env }, (error, stdout) => {
      if (error !== null) reject(error);
      else resolve([...stdout.matchAll(/^\s*(\d+)\. .*\[(.*)\]$/gm)].map((m) => `${m[1]} ${m[2]}`));
    });
  });
}

describe('the capabilities of the installed CLI', () => {
  it('come from the CLI itself, which changes no file of the user', async () => {
    const home = makeFolder({ '.gemini/settings.json': '{"ui":{}}' });
    vi.stubEnv('HOME', home);
    vi.stubEnv('GEMINI_CLI_HOME', undefined);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const before = stateOf(home);
    const capabilities = await getCapabilities({ ask: true, cliPath: GEMINI, workingDir: home });
    expect(capabilities).toMatchObject({
      cliPath: GEMINI,
      cliVersion: '0.61.0',
      modelsFrom: 'cli',
      supportsResume: true,
      supportsPlanMode: true,
    });
    // The list of models depends on the CLI, so the test names only one of them.
    const ids = capabilities.models.map(({ id }) => id);
    expect(ids).toContain('gemini-2.5-pro');
    expect(ids.length).toBeGreaterThan(2);
    expect(stateOf(home)).toEqual(before);
  });
});
