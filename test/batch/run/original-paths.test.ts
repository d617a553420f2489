import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import { createPathMap } from '../../../src/batch/isolation/path-map.js';
import { createOriginalPaths } from '../../../src/batch/run/original-paths.js';
import { makeTree } from '../../base/fs/make-tree.js';

function open() {
  const home = makeTree();
  const tree = join(home, 'tree');
  mkdirSync(join(tree, 'app'), { recursive: true });
  symlinkSync(home, `${home}-link`);
  const dir = join(`${home}-link`, 'tree', 'app');
  const map = { root: '/repo', tree: join(`${home}-link`, 'tree'), workspaceDir: '/repo/app', dir };
  const workspace = { kind: 'copy' as const, dir, ...createPathMap(map) };
  return { real: tree, workspace, change: createOriginalPaths(workspace) };
}

it('events name the paths of the original, in all their texts', () => {
  const { workspace, change, real } = open();
  const { dir } = workspace;
  const event: AgentEvent = {
    type: 'tool-completion',
    callId: '1',
    toolName: 'write_file',
    kind: 'edit',
    category: 'file-write',
    status: 'completed',
    isError: false,
    output: `Wrote ${dir}/src/a.ts and ${real}/b.ts. See ${dir}.`,
    content: [{ type: 'diff', path: `${real}/app/src/a.ts`, oldText: null, newText: '' }],
    raw: { path: `${dir}/src/a.ts` },
  };
  expect(change(event)).toEqual({
    ...event,
    output: 'Wrote /repo/app/src/a.ts and /repo/b.ts. See /repo/app.',
    content: [{ type: 'diff', path: '/repo/app/src/a.ts', oldText: null, newText: '' }],
  });
});

it('names that only begin like a folder of the workspace stay', () => {
  const { workspace, change, real } = open();
  const text = `${workspace.dir}2/x ${workspace.dir}.old ${real}2/y ${real}.old ${real}-b`;
  expect(change({ type: 'text-delta', text, textKind: 'text' })).toMatchObject({
    text: `/repo/app2/x /repo/app.old ${real}2/y ${real}.old ${real}-b`,
  });
});

it('an event that contains itself is passed on', () => {
  const { change } = open();
  const input: Record<string, unknown> = {};
  input['self'] = input;
  const kind = { toolName: 't', kind: 'other', category: 'unknown' } as const;
  expect(change({ type: 'tool-invocation', callId: '1', ...kind, input })).toMatchObject({
    callId: '1',
  });
});

it('events of a shared workspace are not looked at', () => {
  const { workspace } = open();
  const event: AgentEvent = { type: 'session-init', sessionId: workspace.dir };
  expect(createOriginalPaths({ ...workspace, kind: 'shared' })(event)).toBe(event);
});
