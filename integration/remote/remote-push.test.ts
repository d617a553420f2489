import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { startPushService } from './push-service.js';
import { nextRequest, openRemoteLab, openStream, PHONE, pairDevice, until } from './remote-lab.js';

it('push messages call the person about a question, an end and an error, if no device looks at the session (claim: remote-push-empty)', async () => {
  const service = await startPushService();
  const write = { name: 'write_file', args: { file_path: 'secret.js', content: 'secret code' } };
  const lab = await openRemoteLab(
    [
      { prompt: 'write', turns: [{ toolCalls: [write] }, { text: 'secret answer' }] },
      { prompt: 'fail', turns: [{ error: { status: 400, message: 'secret failure' } }] },
      { turns: [{ text: 'Fine.' }] },
    ],
    { publicUrl: 'https://desk.example' },
  );
  const { control } = lab.remote;
  const phone = await pairDevice(lab);
  const gone = await pairDevice(lab);
  const { body: facts } = await phone('GET', '/api/state');
  expect((await phone('POST', '/api/push', service.subscribe())).status).toBe(200);
  expect((await gone('POST', '/api/push', service.subscribe([410]))).status).toBe(200);
  expect(
    (await phone('POST', '/api/push', { ...service.subscribe(), endpoint: 'http://127.0.0.1/' }))
      .status,
  ).toBe(400);

  const id = await control.start(
    { startId: 'start-0001', folder: lab.root, prompt: 'write it' },
    PHONE,
  );
  const { id: requestId, inputHash } = await nextRequest(lab);
  await until(() => service.messages.length === 1);
  await control.decide(requestId, { type: 'allow', inputHash }, PHONE);
  await until(() => service.messages.length === 2);
  const [question, end] = service.messages;
  const body = basename(lab.root);
  const payload = (title: string) => JSON.stringify({ title, body, sessionId: id });
  expect([question?.text, end?.text]).toEqual([
    payload('A session needs you'),
    payload('A session is ready'),
  ]);
  expect(question).toMatchObject({
    key: facts['pushKey'],
    claims: { aud: service.origin, sub: 'https://desk.example' },
    headers: { 'content-encoding': 'aes128gcm', ttl: '3600', urgency: 'high' },
  });
  expect((question?.claims.exp ?? 0) * 1000 - Date.now()).toBeLessThanOrEqual(24 * 60 * 60 * 1000);
  // A subscription that has ended is asked once and then removed.
  expect(service.requests.filter((path) => path === '/push/1')).toEqual(['/push/1']);
  await until(() => !readFileSync(join(lab.state, 'devices.json'), 'utf8').includes('/push/1'));

  const prompt = async (promptId: string, text: string): Promise<void> => {
    await control.prompt(id, { promptId, text }, PHONE);
    await until(async () =>
      (await control.entries(id)).some(
        ({ content }) =>
          content.type === 'prompt' &&
          content.promptId === promptId &&
          content.status === 'answered',
      ),
    );
  };
  await until(() => control.list()[0]?.state === 'ready');
  // The end of a turn that failed must not replace its error.
  await prompt('prompt-0001', 'fail please');
  await until(() => service.messages.length === 3);
  expect(service.messages[2]?.text).toBe(payload('A session has an error'));

  const stream = await openStream(lab, phone.token, `?session=${id}&looking=1`);
  const { streamId } = await stream.next('hello');
  await prompt('prompt-0002', 'while a device looks');
  await phone('POST', '/api/looking', { streamId, isLooking: false });
  await prompt('prompt-0003', 'while no device looks');
  await until(() => service.messages.length === 4);
  expect(service.messages[3]?.text).toBe(payload('A session is ready'));
  expect(service.messages.some(({ text }) => text.includes('secret'))).toBe(false);
});

it('a push message is sent again to a service that is busy, and the server says why a device cannot be called', async () => {
  const service = await startPushService();
  const lab = await openRemoteLab([{ turns: [{ text: 'Fine.' }] }], {
    publicUrl: 'https://desk.example',
  });
  const subscribe = async (...answers: Parameters<typeof service.subscribe>): Promise<void> => {
    const device = await pairDevice(lab);
    expect((await device('POST', '/api/push', service.subscribe(...answers))).status).toBe(200);
  };
  await subscribe([503, 201]);
  await subscribe([403], 20);
  await subscribe([400]);
  await lab.remote.control.start({ startId: 'start-0001', folder: lab.root, prompt: 'say' }, PHONE);
  await until(() => service.messages.length === 1);
  expect(service.requests.toSorted()).toEqual(['/push/0', '/push/0', '/push/1', '/push/2']);
  const host = service.origin.slice('https://'.length);
  const notes = lab.remote.notes.filter((note) => note.includes('was not called'));
  expect(notes).toEqual([
    `phone 2 was not called: ${host} has refused it (HTTP 403). The clock of this machine is 20 hours ahead: correct it.`,
    `phone 3 was not called: ${host} has refused it (HTTP 400). Turn push messages off and on again on the device.`,
  ]);
});
