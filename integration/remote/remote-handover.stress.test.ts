import { installHooks } from 'gemini-cli-provider/remote';
import { expect, it } from 'vitest';
import { contentsOf, sendPrompt, sessionOf, startAtDesk, untilPrompt } from './desk-lab.js';
import { isolateTmux, openRemoteLab, PHONE, until } from './remote-lab.js';

it('a session goes from the desk to a device, back, and to the device again, and loses nothing', async () => {
  isolateTmux();
  const lab = await openRemoteLab([
    { prompt: 'slow', turns: [{ text: 'I am slow', endless: 'stall' }] },
    { turns: [(request) => ({ text: `Echo: ${request.prompt}` })] },
  ]);
  await installHooks({ state: lab.state, env: lab.model.env });
  const { control } = lab.remote;
  const { id, type } = await startAtDesk(lab);
  const say = async (text: string): Promise<void> => {
    await untilPrompt(lab, id, await sendPrompt(lab, id, text), 'answered');
  };
  const cliSessionId = sessionOf(lab, id)?.cliSessionId;

  // A turn that runs is not cut off.
  const slow = await sendPrompt(lab, id, 'slow please');
  await untilPrompt(lab, id, slow, 'accepted');
  await until(() => sessionOf(lab, id)?.state === 'working');
  await expect(control.takeOver(id, PHONE)).rejects.toThrow('at work');
  await control.interrupt(id, PHONE);
  await until(() => sessionOf(lab, id)?.state === 'ready');

  await say('said at the desk 1');
  await type('a draft of the desk');
  await control.takeOver(id, PHONE);
  expect(sessionOf(lab, id)).toMatchObject({ driver: 'acp', state: 'ready', cliSessionId });
  await say('said over acp 1');
  await control.handBack(id, PHONE);
  await until(() => sessionOf(lab, id)?.driver === 'tmux' && sessionOf(lab, id)?.state === 'ready');
  await say('said at the desk 2');
  await control.takeOver(id, PHONE);
  await say('said over acp 2');

  const contents = JSON.stringify(lab.model.requests.at(-1)?.body['contents']);
  const log = await contentsOf(lab, id);
  for (const text of [
    'said at the desk 1',
    'said over acp 1',
    'said at the desk 2',
    'said over acp 2',
  ]) {
    expect(contents).toContain(text);
    const own = log.filter((content) => {
      return (
        content.type === 'message' &&
        content.role === 'user' &&
        content.blocks.some((block) => block.text.trim() === text)
      );
    });
    const ids = new Set(
      own.map((content) => (content.type === 'message' ? content.messageId : '')),
    );
    expect([text, ids.size]).toEqual([text, 1]);
  }
  expect(JSON.stringify(log)).toContain('held a draft: a draft of the desk');
  expect(sessionOf(lab, id)?.cliSessionId).toBe(cliSessionId);
});
