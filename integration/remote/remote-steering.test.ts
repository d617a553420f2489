import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installHooks, startRemote } from 'gemini-cli-provider/remote';
import { expect, it, onTestFinished } from 'vitest';
import { shell } from '../tool-calls.js';
import {
  contentsOf,
  sendPrompt,
  sessionOf,
  setAway,
  startAtDesk,
  untilPrompt,
} from './desk-lab.js';
import {
  isolateTmux,
  nextRequest,
  openRemoteLab,
  PHONE,
  type RemoteLab,
  until,
} from './remote-lab.js';
import { QUESTIONS } from './scripted-questions.js';

const ONE_QUESTION = {
  name: 'ask_user',
  args: { questions: [{ ...QUESTIONS.args.questions[0], question: 'Pick one or more' }] },
};
const SHELL = shell('echo hi > out.txt');

const bodies = ({ model }: RemoteLab): string => JSON.stringify(model.requests);

it('a device steers a session at the desk: questions, queue, interrupt, dialogs, /clear, a person who types, a new server, resume', {
  timeout: 240_000,
}, async () => {
  isolateTmux();
  const lab = await openRemoteLab([
    { prompt: 'many questions', turns: [{ toolCalls: [QUESTIONS] }, { text: 'Thanks for all.' }] },
    { prompt: 'one question', turns: [{ toolCalls: [ONE_QUESTION] }, { text: 'Thanks for one.' }] },
    { prompt: 'slow', turns: [{ text: 'I am slow', endless: 'stall' }] },
    { prompt: 'shell', turns: [{ toolCalls: [SHELL] }, { text: 'Shell is over.' }] },
    { turns: [(request) => ({ text: `Echo: ${request.prompt}` })] },
  ]);
  await installHooks({ state: lab.state, env: lab.model.env });
  const { control } = lab.remote;
  const desk = await startAtDesk(lab);
  const { id } = desk;

  // Questions: several choices, an own value, a text; all sent at once.
  await sendPrompt(lab, id, 'many questions please');
  const questions = await nextRequest(lab);
  expect(questions.questions.map(({ text, isMultiple }) => [text, isMultiple])).toEqual([
    ['Pick colors', true],
    ['Which size?', false],
    ['What name?', false],
  ]);
  const answers = { 0: ['1', '2'], 1: 'Very large', 2: 'Ada! L' };
  await control.decide(questions.id, { type: 'answer', answers }, PHONE);
  await until(() => /Red, Blue.*Very large.*Ada! L/.test(bodies(lab)));
  await until(() => sessionOf(lab, id)?.state === 'ready');
  await sendPrompt(lab, id, 'one question please');
  const one = await nextRequest(lab);
  await control.decide(one.id, { type: 'answer', answers: { 0: ['2'] } }, PHONE);
  await until(
    () => bodies(lab).includes('{\\"0\\":\\"Blue\\"}') || /"0\\*":\\*"Blue/.test(bodies(lab)),
  );
  await until(() => sessionOf(lab, id)?.state === 'ready');

  // A prompt waits while a turn runs; the turn is interrupted.
  const slow = await sendPrompt(lab, id, 'slow please');
  await untilPrompt(lab, id, slow, 'accepted');
  const queued = await sendPrompt(lab, id, 'and then this');
  expect(await untilPrompt(lab, id, queued, 'queued')).toBeDefined();
  await until(() => sessionOf(lab, id)?.state === 'working');
  await control.interrupt(id, PHONE);
  await untilPrompt(lab, id, queued, 'answered');
  expect(bodies(lab)).toContain('and then this');

  // A dialog that no hook announces is shown by its text. One option leads to another dialog, which the desk closes.
  await desk.type('/model', 'Enter');
  const dialog = await until(() => control.requests().find(({ kind }) => kind === 'dialog'));
  expect(dialog.text).toContain('Select Model');
  const manual = dialog.options.find(({ label }) => label.startsWith('Manual'))?.id ?? '';
  await control.decide(dialog.id, { type: 'choose', option: manual }, PHONE);
  const second = await until(() =>
    control.requests().find((request) => request.kind === 'dialog' && request.id !== dialog.id),
  );
  expect(second.options.length).toBeGreaterThan(2);
  await desk.press('Escape');
  await until(() => control.requests().length === 0 || undefined);
  await desk.press('Escape');
  await until(() => sessionOf(lab, id)?.state === 'ready');
  const outcomes = (await contentsOf(lab, id)).flatMap((content) =>
    content.type === 'decision' && content.requestId === second.id ? [content.outcome] : [],
  );
  expect(outcomes).toEqual(['desk']);

  // The draft of a person at the desk is left alone.
  await desk.type('my draft');
  const refused = await sendPrompt(lab, id, 'over the draft');
  expect((await untilPrompt(lab, id, refused, 'not-delivered')).detail).toContain('draft');
  expect(await desk.read()).toContain('my draft');
  await desk.press(...Array.from('my draft', () => 'BSpace'));

  // `/clear` gives the CLI another session; the session of the server stays. The pane is narrow and in copy mode.
  const before = sessionOf(lab, id)?.cliSessionId;
  await desk.type('/clear', 'Enter');
  await until(() => sessionOf(lab, id)?.cliSessionId !== before);
  await desk.run(['resize-window', '-x', '80', '-y', '24']);
  await desk.run(['copy-mode']);
  const cleared = await sendPrompt(lab, id, 'after the clear');
  await untilPrompt(lab, id, cleared, 'answered');

  // A call that waits for a device goes to the desk when the person is back, and a device may still answer the dialog.
  await setAway(lab, true);
  await sendPrompt(lab, id, 'shell please');
  const held = await nextRequest(lab);
  await setAway(lab, false);
  const open = await until(() => control.requests().find((request) => request.id !== held.id));
  expect(existsSync(join(lab.root, 'out.txt'))).toBe(false);
  await control.decide(open.id, { type: 'allow', inputHash: open.inputHash }, PHONE);
  await until(() => existsSync(join(lab.root, 'out.txt')));
  await until(() => sessionOf(lab, id)?.state === 'ready');

  // A new server finds the session again, with its log and without repetitions.
  const messagesOf = async (from: RemoteLab): Promise<string[]> =>
    (await contentsOf(from, id)).flatMap((content) =>
      content.type === 'message' ? [`${content.role}: ${JSON.stringify(content.blocks)}`] : [],
    );
  await until(async () => (await messagesOf(lab)).some((text) => text.includes('Shell is over.')));
  // A prompt that waits behind a turn waits for the new server, too.
  const long = await sendPrompt(lab, id, 'slow again');
  await untilPrompt(lab, id, long, 'accepted');
  const kept = await sendPrompt(lab, id, 'kept for the new server');
  await untilPrompt(lab, id, kept, 'queued');
  const logged = await messagesOf(lab);
  await lab.remote.close();
  const remote = await startRemote({ state: lab.state, roots: [lab.root], config: lab.config });
  onTestFinished(() => remote.close());
  const again = { ...lab, remote };
  await until(() => sessionOf(again, id)?.state === 'working');
  await remote.control.interrupt(id, PHONE);
  await untilPrompt(again, id, kept, 'answered');
  await until(() => sessionOf(again, id)?.state === 'ready');
  const late = await sendPrompt(again, id, 'to the new server');
  await untilPrompt(again, id, late, 'answered');
  await until(async () =>
    (await messagesOf(again)).some((text) => text.includes('Echo: to the new')),
  );
  const news = (await messagesOf(again)).slice(logged.length);
  expect(news.filter((text) => !/(to|for) the new server|slow again|I am slow/.test(text))).toEqual(
    [],
  );

  // The tmux server dies: the session has ended, and goes on over ACP with all that was said.
  await desk.run(['kill-server']);
  await until(() => sessionOf(again, id)?.state === 'ended');
  const taking = [
    again.remote.control.takeOver(id, PHONE),
    again.remote.control.takeOver(id, PHONE),
  ];
  const [first, twice] = await Promise.allSettled(taking);
  expect([first?.status, twice?.status]).toEqual(['fulfilled', 'rejected']);
  const resumed = await sendPrompt(again, id, 'after the resume');
  await untilPrompt(again, id, resumed, 'answered');
  const last = JSON.stringify(lab.model.requests.at(-1)?.body['contents']);
  for (const text of ['after the clear', 'Shell is over.', 'Echo: to the new server'])
    expect(last).toContain(text);
});
