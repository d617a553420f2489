import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { installHooks } from 'gemini-cli-provider/remote';
import { startScriptedModel } from 'gemini-cli-provider/testing';
import { DeskClient } from '../../.build/remote/desk/ask-desk.js';
import { launchBrowser } from '../launch-browser.mjs';
import { startDeskCli, useOwnTmux } from '../remote/desk-cli.mjs';
import { pairDevice } from '../remote/device.mjs';
import { openPhoneContext, pairPage } from '../remote/phone-browser.mjs';
import { hasProcessWith } from './consumption.mjs';
import { GEMINI, MODEL } from './lab.mjs';

const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.js');
/** Longest wait for what must happen. The CLI starts slowly while the machine is busy. */
const MOST_MS = 90_000;
const LOOK_MS = 50;

/**
 * Waits until a function returns a value. Throws if it does not in time.
 * @template T
 * @param {string} what
 * @param {() => T | undefined | false | Promise<T | undefined | false>} find
 * @returns {Promise<T>}
 */
export async function waitFor(what, find) {
  for (const until = performance.now() + MOST_MS; performance.now() < until; await delay(LOOK_MS)) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
  }
  throw new Error(`After ${MOST_MS / 1000} s, there is not: ${what}`);
}

/**
 * Options of a lab.
 * @typedef {object} RemoteBenchOptions
 * @property {import('gemini-cli-provider/testing').Script} script
 * @property {Record<string, string>} [variables] further variables of the CLI
 * @property {(paths: { state: string, geminiHome: string }) => Promise<void>} [prepare] called before the server starts
 */

/**
 * Opens what all rows of remote control need: a scripted model, the server in a process of its own, as `gemini-cli-provider
 * remote` starts it, a tmux server, and a folder for all of their files. `close` ends and removes all of it.
 * @param {RemoteBenchOptions} options
 */
export async function openRemoteBenchLab({ script, variables = {}, prepare }) {
  /** @type {(() => unknown)[]} */
  const ends = [];
  const close = async () => {
    /** @type {unknown[]} */
    const problems = [];
    for (const end of ends.splice(0).reverse()) {
      try {
        await end();
      } catch (error) {
        problems.push(error);
      }
    }
    if (problems.length > 0) throw new AggregateError(problems, 'The lab was not closed in order');
  };
  try {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'bench-remote-')));
    ends.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    const model = await startScriptedModel(script);
    ends.push(() => model.close());
    // A CLI whose terminal was closed still runs its last hooks.
    ends.push(() => waitFor('the end of all CLIs', () => !hasProcessWith(model.home)));
    const root = await mkdtemp(join(folder, 'root-'));
    const state = join(folder, 'state');
    ends.push(useOwnTmux(folder).restore);
    await prepare?.({ state, geminiHome: join(model.home, '.gemini') });
    const env = { ...model.env, ...variables };
    const server = await startServer(folder, ['--root', root, '--state', state], env);
    ends.push(server.stop);
    const desk = new DeskClient(state);
    const device = await pairDevice(server, await desk.pair());
    const sessions = async () =>
      /** @type {import('gemini-cli-provider/remote').RemoteSession[]} */ (
        (await device('GET', '/api/sessions')).body['sessions']
      );
    return {
      ...{ env, root, state, server, desk, device, sessions, close },
      /** Runs before the end of the server. */
      atEnd: (/** @type {() => unknown} */ end) => void ends.push(end),
      /** Session by its id. */
      session: async (/** @type {string} */ id) =>
        (await sessions()).find((session) => session.id === id),
      /** Sends a prompt as another device than the page does. */
      prompt: async (/** @type {string} */ id, /** @type {string} */ text) => {
        const body = { promptId: `prompt-${crypto.randomUUID()}`, text };
        const { status } = await device('POST', `/api/sessions/${id}/prompt`, body, {
          'idempotency-key': crypto.randomUUID(),
        });
        if (status !== 200) throw new Error(`The server has refused a prompt with ${status}`);
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @typedef {Awaited<ReturnType<typeof openRemoteBenchLab>>} RemoteBenchLab */

/**
 * Starts `gemini-cli-provider remote`. Its state of locks lies in the folder, not in that of the user.
 * @param {string} folder
 * @param {readonly string[]} flags
 * @param {Record<string, string>} variables of the CLI
 */
async function startServer(folder, flags, variables) {
  const env = Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const args = [CLI, 'remote', '--port', '0', '--json', '--model', MODEL, '--trust-workspace'];
  const child = spawn(process.execPath, [...args, '--cli-path', GEMINI, ...env, ...flags], {
    cwd: folder,
    env: { ...process.env, XDG_STATE_HOME: join(folder, 'user-state') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), exited]);
  if (typeof line !== 'string') throw new Error(`The remote server has ended with ${line}`);
  /** @type {{ port: number }} */
  const { port } = JSON.parse(line);
  return {
    port,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/**
 * Installs the hooks, and returns a function that starts a session at the desk and waits until the server leads it.
 * @param {RemoteBenchLab} lab
 */
export async function openBenchDesk(lab) {
  const { root, state, env } = lab;
  await installHooks({ state, env, cliPath: GEMINI });
  return async () => {
    const { run, pane, cliSessionId } = await startDeskCli(root, env);
    lab.atEnd(() => run(['kill-server']).catch(() => {}));
    const { id } = await waitFor('a session at the desk that is ready', async () =>
      (await lab.sessions()).find(
        (session) => session.cliSessionId === cliSessionId && session.state === 'ready',
      ),
    );
    return { id, run, pane, cliSessionId };
  };
}

/**
 * Starts a browser and pairs the page in it.
 * @param {RemoteBenchLab} lab
 */
export async function openBenchPage(lab) {
  const browser = await launchBrowser();
  lab.atEnd(() => browser.close());
  const page = await (await openPhoneContext(browser)).newPage();
  page.setDefaultTimeout(MOST_MS);
  await pairPage(page, await lab.desk.pair(), 'page');
  return page;
}

/**
 * Shows a session on the page, from the list on.
 * @param {import('playwright-core').Page} page
 * @param {string} id
 */
export async function showSession(page, id) {
  await page.evaluate(`location.hash = '#/'`);
  await page.getByRole('searchbox', { name: 'Search sessions' }).waitFor();
  await page.evaluate(`location.hash = '#/session/${id}'`);
  await page.getByRole('textbox', { name: 'Prompt' }).waitFor();
}

/**
 * Waits until a function returns a value. The error after a wait in vain has the text of the page.
 * @template T
 * @param {import('playwright-core').Page} page
 * @param {string} what
 * @param {() => T | undefined | false | Promise<T | undefined | false>} find
 * @returns {Promise<T>}
 */
export async function waitOnPage(page, what, find) {
  try {
    return await waitFor(what, find);
  } catch (cause) {
    const text = await page.locator('body').innerText();
    throw new Error(`The page does not show ${what}:\n${text.slice(-2_000)}`, { cause });
  }
}

/** Runs in the browser: keeps the time of the last click. */
export const NOTE_CLICKS = `addEventListener('click', () => { window.clickedAt = Date.now(); }, true)`;

/**
 * Returns a script for the browser that keeps the time at which the conversation first shows each text that the pattern
 * matches, as the frame with the text is drawn.
 * @param {RegExp} pattern
 */
export const noteTexts = (pattern) => `(() => {
  window.shownAt = {};
  const look = () => {
    const text = document.querySelector('.rows-of-session')?.textContent ?? '';
    for (const [found] of text.matchAll(${pattern})) window.shownAt[found] ??= Date.now();
  };
  window.texts?.disconnect();
  window.texts = new MutationObserver(() => requestAnimationFrame(look));
  window.texts.observe(document.body, { subtree: true, childList: true, characterData: true });
})()`;
