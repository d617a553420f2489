import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openBenchDesk, openRemoteBenchLab } from './remote-lab.mjs';
import { median } from './statistics.mjs';

const CALLS_PER_ROUND = 10;
/** Answers as the hook does, without a look at anything. */
const EMPTY = "cat > /dev/null; printf '{}'";

/**
 * Measures what a hook of the CLI costs while no call waits for a phone: without a server, and with a server that leads the session
 * of a person at the desk. The hooks are run as the CLI runs them, beside a shell that answers at once.
 * @param {number} rounds
 * @returns {Promise<import('./report.mjs').Measurement[]>}
 */
export async function benchRemoteHook(rounds) {
  const lab = await openRemoteBenchLab({ script: [{ text: 'Nothing to do.' }] });
  /** @type {Record<'empty' | 'present' | 'alone', number[]>} */
  const times = { empty: [], present: [], alone: [] };
  try {
    const { run, pane, cliSessionId } = await (await openBenchDesk(lab))();
    const command = await readHookCommand(lab.state, 'BeforeTool');
    const tmux = (await run(['display-message', '-p', '-t', pane, '#{socket_path}'])).trim();
    const env = { ...process.env, TMUX: `${tmux},1,0`, TMUX_PANE: pane };
    const payload = JSON.stringify({
      session_id: cliSessionId,
      transcript_path: '',
      cwd: lab.root,
      hook_event_name: 'BeforeTool',
      timestamp: new Date().toISOString(),
      tool_name: 'write_file',
      tool_input: { file_path: 'a.txt', content: 'line\n'.repeat(200) },
    });
    const calls = rounds * CALLS_PER_ROUND;
    for (let call = 0; call < calls; call++)
      times.present.push(await measureHook(command, payload, env));
    await lab.server.stop();
    for (let call = 0; call < calls; call++) {
      times.empty.push(await measureHook(EMPTY, payload, env));
      times.alone.push(await measureHook(command, payload, env));
    }
  } finally {
    await lab.close();
  }
  const detail = `${times.alone.length} calls; a shell that answers at once ${median(times.empty).toFixed(1)} ms`;
  return [
    {
      name: 'remote: a hook of the CLI without a server',
      value: median(times.alone),
      unit: 'ms',
      atMost: 25,
      detail,
    },
    {
      name: 'remote: a hook of the CLI with a server, the person at the desk',
      value: median(times.present),
      unit: 'ms',
      atMost: 25,
      detail,
    },
  ];
}

/**
 * Reads the command of a hook from the installed extension.
 * @param {string} state
 * @param {string} event
 * @returns {Promise<string>}
 */
async function readHookCommand(state, event) {
  const file = join(state, 'extension', 'hooks', 'hooks.json');
  return JSON.parse(await readFile(file, 'utf8')).hooks[event][0].hooks[0].command;
}

/**
 * Returns the milliseconds until a hook has answered and ended. Throws if its answer is not that of a call that goes on.
 * @param {string} command
 * @param {string} payload
 * @param {NodeJS.ProcessEnv} env
 */
async function measureHook(command, payload, env) {
  const started = performance.now();
  const child = spawn('bash', ['-c', command], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(payload);
  const [answer, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const ms = performance.now() - started;
  if (code !== 0 || answer !== '{}')
    throw new Error(`The hook has ended with ${code} and answered ${answer}`);
  return ms;
}
