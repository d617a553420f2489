import { setTimeout as delay } from 'node:timers/promises';
import { openStream, pairDevice } from '../remote/device.mjs';
import { memoryOf, readCpu } from './consumption.mjs';
import { openBenchDesk, openRemoteBenchLab, waitFor } from './remote-lab.mjs';

const AT_DESK = 10;
const OVER_ACP = 10;
const SESSIONS = AT_DESK + OVER_ACP;
const DEVICES = 5;
/** Time after the start of all sessions in which their processes come to rest. */
const SETTLE_MS = 10_000;
const SAMPLES = 30;
const SAMPLE_MS = 1_000;

/**
 * Measures memory and CPU time of the server while 20 sessions wait for a prompt, half of them at the desk and half over ACP, and
 * five devices look at five of them. The CPU time contains that of the tmux commands that the server runs.
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchRemoteIdle() {
  const lab = await openRemoteBenchLab({ script: [{ text: 'Nothing to do.' }] });
  try {
    const start = await openBenchDesk(lab);
    for (let session = 0; session < AT_DESK; session++) await start();
    for (let session = 0; session < OVER_ACP; session++) await startOverAcp(lab, session);
    const sessions = (await lab.sessions()).filter(({ driver }) => driver !== 'past');
    const streams = await openDevices(
      lab,
      sessions.map(({ id }) => id),
    );
    await delay(SETTLE_MS);
    const measured = await sample(lab.server.pid);
    const led = (await lab.sessions()).filter(({ driver }) => driver !== 'past');
    const states = led.map(({ driver, state }) => `${driver} ${state}`);
    const isIdle = states.every((state) => /^(acp|tmux) ready$/.test(state));
    if (states.length !== SESSIONS || !isIdle)
      throw new Error(`Not all sessions have waited for a prompt: ${states.join(', ')}`);
    if (!streams.every(({ isOpen }) => isOpen())) throw new Error('A device has lost its line');
    const { memoryMb, ownShare, endedShare } = measured;
    const what = `remote: ${SESSIONS} idle sessions (${AT_DESK} at the desk) and ${DEVICES} devices`;
    return [
      {
        name: `${what}: memory of the server`,
        value: memoryMb,
        unit: 'MB',
        atMost: 150,
        detail: `the most in ${SAMPLES} s`,
      },
      {
        name: `${what}: CPU time of the server`,
        value: 100 * (ownShare + endedShare),
        unit: '% of a core',
        atMost: 10,
        detail: `the server ${(100 * ownShare).toFixed(1)} %, its tmux commands ${(100 * endedShare).toFixed(1)} %`,
      },
    ];
  } finally {
    await lab.close();
  }
}

/**
 * @param {import('./remote-lab.mjs').RemoteBenchLab} lab
 * @param {number} number
 */
async function startOverAcp(lab, number) {
  const { body } = await lab.device(
    'POST',
    '/api/sessions',
    { startId: `bench-start-${number}`, folder: lab.root },
    { 'idempotency-key': `bench-start-${number}` },
  );
  const id = `${body['id']}`;
  await waitFor('a session over ACP', async () => (await lab.session(id))?.state === 'ready');
}

/**
 * Pairs devices, each of which follows another session.
 * @param {import('./remote-lab.mjs').RemoteBenchLab} lab
 * @param {readonly string[]} ids
 */
async function openDevices(lab, ids) {
  const ending = new AbortController();
  lab.atEnd(() => ending.abort());
  const streams = [];
  for (let device = 0; device < DEVICES; device++) {
    const id = ids[Math.floor((device * ids.length) / DEVICES)];
    const { token } = await pairDevice(lab.server, await lab.desk.pair(), `device-${device}`);
    const query = `?session=${id}&looking=1`;
    const stream = await openStream(lab.server, token, query, ending.signal);
    await waitFor('an event stream that is live', () =>
      stream.messages.some(({ type }) => type === 'live'),
    );
    streams.push(stream);
  }
  return streams;
}

/**
 * Returns the most memory of a process, and the shares of a core that it and its child processes have used.
 * @param {number} pid
 */
async function sample(pid) {
  const [before, started] = [readCpu(pid), performance.now()];
  let memoryMb = 0;
  for (let count = 0; count < SAMPLES; count++) {
    await delay(SAMPLE_MS);
    memoryMb = Math.max(memoryMb, memoryOf(pid));
  }
  const [after, seconds] = [readCpu(pid), (performance.now() - started) / 1000];
  return {
    memoryMb,
    ownShare: (after.own - before.own) / seconds,
    endedShare: (after.ended - before.ended) / seconds,
  };
}
