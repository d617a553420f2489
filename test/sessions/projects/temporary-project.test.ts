import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/base/fs/fingerprint.js';
import { describeProcess } from '../../../src/base/process/process-identity.js';
import { listSessions } from '../../../src/sessions/list/list-sessions.js';
import { lendSession } from '../../../src/sessions/projects/lend-session.js';
import {
  beginTemporaryProject,
  removeEndedProjects,
} from '../../../src/sessions/projects/temporary-project.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { addFiles, failureOf } from '../../fixtures/cli/support.js';
import { chat, gemini, record } from '../list/gemini-home.js';

const RECORDS = join('tmp', '.gemini-cli-provider');

/** Creates a home with a repository, and a worktree of it that the CLI does not know yet. */
function open(files: Readonly<Record<string, string>> = {}) {
  const root = makeTree({ 'repo/': '', 'tree/repo/': '' });
  const [projectDir, workingDir] = [join(root, 'repo'), join(root, 'tree/repo')];
  const projects = { [projectDir]: 'repo' };
  const geminiHome = makeTree({
    'projects.json': JSON.stringify({ projects }),
    'tmp/repo/.project_root': projectDir,
    'history/repo/.project_root': projectDir,
    ...files,
  });
  /** Adds what the CLI writes when it works in the worktree. */
  const work = (more: Readonly<Record<string, string>>) => {
    addFiles(geminiHome, {
      'projects.json': JSON.stringify({ projects: { ...projects, [workingDir]: 'repo-1' } }),
      'tmp/repo-1/.project_root': workingDir,
      'history/repo-1/.project_root': workingDir,
      ...more,
    });
    mkdirSync(join(geminiHome, 'tmp/repo-1/logs'), { recursive: true });
  };
  const path = (name: string) => join(geminiHome, name);
  return {
    geminiHome,
    projectDir,
    workingDir,
    options: { geminiHome, projectDir, workingDir },
    work,
    path,
    read: (name: string) => readFileSync(path(name), 'utf8'),
    state: () => ({
      projects: Object.keys(JSON.parse(readFileSync(path('projects.json'), 'utf8')).projects),
      tmp: readdirSync(path('tmp')).sort(),
      history: readdirSync(path('history')),
    }),
  };
}

type Home = ReturnType<typeof open>;

function locationOf({ geminiHome, projectDir }: Home) {
  return { geminiHome, projectDir };
}

function onlyRepository({ projectDir }: Home) {
  return { projects: [projectDir], tmp: ['repo'], history: ['repo'] };
}

const SESSION = '11111111-a';
const answered = (sessionId: string, ...records: object[]) => {
  return record(sessionId, { records: [gemini('1'), ...records] });
};

describe('a temporary project', () => {
  it('hands its sessions, those of sub-agents and tool outputs over, and is forgotten', async () => {
    const home = open();
    const project = await beginTemporaryProject(home.options);
    const note = gemini('2', { content: `wrote ${home.workingDir}/x.ts` });
    home.work({
      [chat(SESSION, 'repo-1')]: answered(SESSION, note),
      [`tmp/repo-1/chats/${SESSION}/agent.jsonl`]: answered('agent'),
      [`tmp/repo-1/tool-outputs/session-${SESSION}/a.txt`]: 'output',
    });
    await project.end();
    expect(home.state()).toEqual(onlyRepository(home));
    const sessions = await listSessions({ ...locationOf(home), subagents: true });
    expect(sessions.map(({ id }) => id).sort()).toEqual([SESSION, 'agent']);
    expect(home.read(chat(SESSION, 'repo'))).toContain(`wrote ${home.projectDir}/x.ts`);
    expect(home.read(`tmp/repo/tool-outputs/session-${SESSION}/a.txt`)).toBe('output');
    await project.end();
    expect(home.state()).toEqual(onlyRepository(home));
  });

  it('of a repository that the CLI does not know registers the repository', async () => {
    const home = open();
    const elsewhere = makeTree({ 'repo/': '' });
    const projectDir = join(elsewhere, 'repo');
    const project = await beginTemporaryProject({ ...home.options, projectDir });
    home.work({ [chat(SESSION, 'repo-1')]: answered(SESSION) });
    await project.end();
    const { geminiHome } = home;
    expect(await listSessions({ geminiHome, projectDir })).toMatchObject([{ id: SESSION }]);
    expect(home.state().projects).toEqual([home.projectDir, projectDir]);
  });

  it('of an older CLI is found by the hash of its path', async () => {
    const { workingDir, projectDir } = open();
    const geminiHome = makeTree();
    const project = await beginTemporaryProject({ geminiHome, workingDir, projectDir });
    addFiles(geminiHome, { [chat(SESSION, sha256(workingDir))]: answered(SESSION) });
    await project.end();
    expect(readdirSync(join(geminiHome, 'tmp'))).toEqual([sha256(projectDir)]);
    expect(await listSessions({ geminiHome, projectDir })).toMatchObject([{ id: SESSION }]);
  });

  it('loses sessions without a prompt, and no others', async () => {
    const home = open();
    const { geminiHome, workingDir } = home;
    const project = await beginTemporaryProject({ geminiHome, workingDir });
    home.work({
      [chat('22222222-b', 'repo-1')]: record('22222222-b', { prompt: '' }),
      [chat('33333333-c', 'repo-1')]: record('33333333-c', { prompt: '/help' }),
      'tmp/repo-1/chats/other.jsonl': 'no session',
    });
    await project.end();
    expect(readdirSync(home.path('tmp/repo-1/chats')).sort()).toEqual([
      'other.jsonl',
      'session-2026-11-16T00-00-33333333.jsonl',
    ]);
    expect(home.state().projects).toContain(workingDir);
  });

  it('keeps the files that were there before', async () => {
    const home = open();
    home.work({ [chat('44444444-d', 'repo-1')]: answered('44444444-d') });
    const project = await beginTemporaryProject(home.options);
    home.work({ [chat(SESSION, 'repo-1')]: answered(SESSION) });
    await project.end();
    expect(existsSync(home.path(chat('44444444-d', 'repo-1')))).toBe(true);
    expect(await listSessions(locationOf(home))).toMatchObject([{ id: SESSION }]);
    expect(home.state().projects).toContain(home.workingDir);
  });

  it('overwrites no file with another content', async () => {
    const files = { 'tmp/repo/memory/notes.md': 'old', [chat(SESSION, 'repo')]: answered(SESSION) };
    const home = open({ ...files, 'tmp/repo/same.txt': 'same' });
    const project = await beginTemporaryProject(home.options);
    const other = answered(SESSION).replace('prompt of', 'another prompt of');
    home.work({
      'tmp/repo-1/memory/notes.md': 'new',
      'tmp/repo-1/same.txt': 'same',
      [chat(SESSION, 'repo-1')]: other,
    });
    await project.end();
    expect(home.read('tmp/repo/memory/notes.md')).toBe('old');
    expect(home.read('tmp/repo-1/memory/notes.md')).toBe('new');
    expect(existsSync(home.path('tmp/repo-1/same.txt'))).toBe(false);
    expect(home.read(chat(SESSION, 'repo'))).toBe(answered(SESSION));
    expect(home.read(chat(SESSION, 'repo').replace('.jsonl', '-2.jsonl'))).toBe(other);
  });

  it('ends with its last user', async () => {
    const home = open();
    const first = await beginTemporaryProject(home.options);
    const second = await beginTemporaryProject(home.options);
    home.work({ [chat(SESSION, 'repo-1')]: answered(SESSION) });
    await first.end();
    await first.end();
    await removeEndedProjects();
    expect(home.state().projects).toHaveLength(2);
    await second.end();
    expect(home.state()).toEqual(onlyRepository(home));
  });

  it('is looked at again if the CLI may have gone on after its end', async () => {
    const home = open();
    const project = await beginTemporaryProject(home.options);
    await project.end(false);
    home.work({ [chat(SESSION, 'repo-1')]: record(SESSION, { prompt: '' }) });
    await removeEndedProjects();
    expect(home.state()).toEqual(onlyRepository(home));
  });

  it('is cleaned up later if the registry is locked', async () => {
    const home = open();
    const project = await beginTemporaryProject(home.options);
    home.work({ [chat(SESSION, 'repo-1')]: answered(SESSION) });
    const lock = home.path('projects.json.lock');
    mkdirSync(lock);
    utimesSync(lock, 1, 1);
    await project.end();
    expect(await listSessions(locationOf(home))).toMatchObject([{ id: SESSION }]);
    expect(home.state().projects).toHaveLength(2);
    // The CLI removes an abandoned lock.
    utimesSync(lock, new Date(), new Date());
    setTimeout(() => import('node:fs').then(({ rmdirSync }) => rmdirSync(lock)), 30);
    await removeEndedProjects();
    expect(home.state()).toEqual(onlyRepository(home));
  });

  it('of a process that has died is cleaned up, that of a living one is not', async () => {
    const home = open();
    const { geminiHome, workingDir, projectDir } = home;
    home.work({ [chat(SESSION, 'repo-1')]: answered(SESSION) });
    const owner = { ...describeProcess(), id: 'another' };
    const write = (startTime: number | undefined) => {
      const record = { workingDir, projectDir, kept: [], owner: { ...owner, startTime } };
      addFiles(geminiHome, {
        [join(RECORDS, 'a.json')]: JSON.stringify(record),
        [join(RECORDS, 'b.json')]: '{"workingDir":',
        [join(RECORDS, 'c.json')]: '{}',
      });
    };
    write(owner.startTime);
    await removeEndedProjects([geminiHome]);
    expect(home.state().projects).toHaveLength(2);
    write((owner.startTime ?? 0) - 1);
    await removeEndedProjects([geminiHome]);
    expect(home.state().projects).toEqual([projectDir]);
    expect(await listSessions(locationOf(home))).toMatchObject([{ id: SESSION }]);
    expect(readdirSync(home.path(RECORDS))).toEqual(['b.json', 'c.json']);
  });

  it('is not needed if the working directory is the project', async () => {
    const home = open();
    const { geminiHome, projectDir } = home;
    const project = await beginTemporaryProject({ geminiHome, projectDir, workingDir: projectDir });
    await project.end();
    expect(home.state()).toEqual(onlyRepository(home));
  });

  it('cannot begin if its record cannot be written', async () => {
    const geminiHome = makeTree({ tmp: 'a file' });
    const begin = () => beginTemporaryProject({ geminiHome, workingDir: '/none' });
    expect(await failureOf(begin)).toMatchObject({ code: expect.any(String) });
  });
});

describe('a session that is resumed in a temporary project', () => {
  it('is copied there with its paths, and comes back with the new messages', async () => {
    const home = open();
    const { projectDir, workingDir } = home;
    const text = answered(SESSION, gemini('2', { content: `see ${projectDir}/a` }));
    addFiles(home.geminiHome, { [chat(SESSION, 'repo')]: text });
    const project = await beginTemporaryProject(home.options);
    for (const wanted of [SESSION, '1', 'latest'])
      expect(await lendSession({ ...home.options, wanted })).toBe(SESSION);
    expect(await lendSession({ ...home.options, wanted: 'none' })).toBeUndefined();
    const copy = home.path(chat(SESSION, 'repo-1'));
    expect(readFileSync(copy, 'utf8')).toContain(`see ${workingDir}/a`);
    const more = `${JSON.stringify(gemini('3', { content: `and ${workingDir}/b` }))}\n`;
    writeFileSync(copy, readFileSync(copy, 'utf8') + more);
    await project.end();
    expect(home.read(chat(SESSION, 'repo'))).toBe(text + more.replace(workingDir, projectDir));
    expect(readdirSync(home.path('tmp/repo/chats'))).toHaveLength(1);
    expect(home.state()).toEqual(onlyRepository(home));
  });
});
