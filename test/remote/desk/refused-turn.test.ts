import { expect, it } from 'vitest';
import { RefusedTurn } from '../../../src/remote/desk/refused-turn.js';

const shell = { toolName: 'run_shell_command', title: 'rm -r build', input: {} };
const write = {
  toolName: 'write_file',
  title: 'Confirm Write',
  input: { file_path: '/home/me/a.txt' },
};

it('the prompt after a refusal repeats the request without the contents of its files', () => {
  const turn = new RefusedTurn();
  turn.takePrompt('clean @up.md\n--- Content from referenced files ---\nsecret');
  expect(turn.refuse(shell, ' keep it ')).toBe(
    'I refused the call of run_shell_command (rm -r build): keep it\n\nMy request was:\nclean @up.md',
  );
});

it('a second refusal repeats the first one, and the request once', () => {
  const turn = new RefusedTurn();
  turn.takePrompt('clean up');
  const first = turn.refuse(shell, 'keep it');
  turn.takePrompt(`${first}\n`);
  expect(turn.refuse(write, 'nor this')).toBe(
    [
      'I refused the call of run_shell_command (rm -r build): keep it',
      'I refused the call of write_file (/home/me/a.txt): nor this',
      '',
      'My request was:',
      'clean up',
    ].join('\n'),
  );
  turn.takePrompt('something else');
  expect(turn.refuse(shell, 'no')).toContain('My request was:\nsomething else');
});

it('a turn that began before the server has no request to repeat, and no slash begins a prompt', () => {
  expect(new RefusedTurn().refuse(shell, '/quit')).toBe(
    'I refused the call of run_shell_command (rm -r build): /quit',
  );
});
