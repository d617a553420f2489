import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, openLab } from './support.js';
import { shell, write } from './tool-calls.js';

const TURNS = [
  { toolCalls: [write('new.txt', 'x'), shell('echo y > by-shell.txt')] },
  { text: 'Done.' },
];
const NAMES = ['by-shell.txt', 'new.txt'];

describe.each(['headless', 'acp'] as const)('a step (%s)', (transport) => {
  it('in a workspace of 50,000 files lists just the files that it has written', async () => {
    const workingDir = makeFolder();
    for (let folder = 0; folder < 500; folder++) {
      mkdirSync(join(workingDir, `f${folder}`));
      for (let file = 0; file < 100; file++)
        writeFileSync(join(workingDir, `f${folder}`, `${file}.txt`), `${folder} ${file}\n`);
    }
    const lab = await openLab(TURNS, { config: { transport, workingDir, approvalMode: 'yolo' } });
    const { files, warnings } = await lab.run();
    expect(files.map(({ path, confirmed }) => [path, confirmed])).toEqual(
      NAMES.map((name) => [name, true]),
    );
    expect(warnings).toEqual([]);
  });

  it('in the home folder of the CLI lists its own files and none of the CLI', async () => {
    const lab = await openLab(TURNS, { config: { transport, approvalMode: 'yolo' } });
    const { files } = await lab.run('go', { workingDir: lab.home });
    expect(files.map(({ path }) => path).filter((path) => !path.startsWith('.gemini/'))).toEqual(
      NAMES,
    );
  });
});
