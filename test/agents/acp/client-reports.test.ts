import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findClientReports } from '../../../src/agents/acp/client-reports.js';
import { createGenericProfile } from '../../../src/agents/acp/generic-profile.js';
import { makeTree } from '../../base/fs/make-tree.js';

function reportOf(prompt: string, cwd: string): string {
  const said = [`<session_context> Workspace Directories: - ${cwd}`, prompt];
  const context = said.map((text) => ({ role: 'user', parts: [{ text }] }));
  const stack = 'ModelNotFoundError: no\n    at x';
  return JSON.stringify({ error: { message: 'no', stack }, context });
}

const OURS = 'gemini-client-error-Turn.run-sendMessageStream-1.json';
const turn = (folder: string) => {
  return { prompt: 'do "it"', cwd: '/w', startedAt: new Date(), env: { TMPDIR: folder } };
};

it('the report of a failed turn is found, and no other report', async () => {
  const folder = makeTree({
    [OURS]: reportOf('do "it"', '/w'),
    'gemini-client-error-other-prompt.json': reportOf('do it', '/w'),
    'gemini-client-error-other-folder.json': reportOf('do "it"', '/elsewhere'),
    'gemini-client-error-old.json': reportOf('do "it"', '/w'),
    'gemini-client-error-torn.json': reportOf('do "it"', '/w').slice(0, 99),
    'gemini-client-error-strange.json': '{"context":[1,{"parts":[null,{"text":7}]}]}',
    'notes.json': reportOf('do "it"', '/w'),
  });
  utimesSync(join(folder, 'gemini-client-error-old.json'), 1, 1);
  expect(await findClientReports(turn(folder))).toEqual([
    { path: join(folder, OURS), errorType: 'ModelNotFoundError' },
  ]);
  expect(await findClientReports(turn(join(folder, 'none')))).toEqual([]);
});

it('the profile of another agent finds no reports', async () => {
  const folder = makeTree({ [OURS]: reportOf('do "it"', '/w') });
  expect(await createGenericProfile('Agent').findReports(turn(folder))).toEqual([]);
});
