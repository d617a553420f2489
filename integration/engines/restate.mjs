import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as restate from '@restatedev/restate-sdk';
import { createGeminiService } from '../examples/restate-handler.mjs';
import { openEngineLab } from './lab.mjs';

const { provider, model, check, close } = await openEngineLab();
const [ingress, admin, node, service] = await Promise.all([
  freePort(),
  freePort(),
  freePort(),
  freePort(),
]);
const directory = mkdtempSync(join(tmpdir(), 'restate-'));
const server = spawn(
  join(import.meta.dirname, '../node_modules/.bin/restate-server'),
  ['--base-dir', directory],
  {
    stdio: 'ignore',
    env: {
      ...process.env,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
      RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}/`,
      DO_NOT_TRACK: '1',
    },
  },
);
while (!(await isUp(`http://127.0.0.1:${admin}/health`))) await sleep(100);
await restate.endpoint().bind(createGeminiService(provider)).listen(service);
const headers = { 'content-type': 'application/json' };
const uri = `http://127.0.0.1:${service}`;
const body = JSON.stringify({ uri });
await fetch(`http://127.0.0.1:${admin}/deployments`, { method: 'POST', headers, body });

async function generate(prompt, key) {
  const response = await fetch(`http://127.0.0.1:${ingress}/gemini/generate`, {
    method: 'POST',
    headers: { ...headers, ...(key && { 'idempotency-key': key }) },
    body: JSON.stringify({ prompt }),
  });
  return { status: response.status, body: await response.json() };
}

await check('runs a handler with the result of the step', async () => {
  const { status, body } = await generate('greet', 'first');
  assert.deepEqual([status, body.text, body.files[0].path], [200, 'Done.', 'hello.txt']);
});
await check('does not repeat a step with the same idempotency key', async () => {
  const before = model.requests.length;
  assert.equal((await generate('greet', 'first')).body.text, 'Done.');
  assert.equal(model.requests.length, before);
});
await check('repeats a step that may succeed later', async () => {
  assert.equal((await generate('limited')).body.text, 'After a retry.');
});
await check('ends with a terminal error if a repetition cannot help', async () => {
  const { status, body } = await generate('login');
  assert.equal(status, 401);
  assert.match(body.message, /^AUTH/);
});
const exited = new Promise((resolve) => server.once('exit', resolve));
server.kill();
await exited;
rmSync(directory, { recursive: true, force: true });
await close();

async function isUp(url) {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Asks the system for a port that is free now. */
function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
