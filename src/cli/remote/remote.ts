import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { RemoteRight } from '../../api/remote-options.js';
import { parseConfig } from '../../config/parse-config.js';
import { REMOTE_PORT, toFolder, toPort } from '../batch/batch-remote-flags.js';
import { addConfigFlags } from '../config/config-flags.js';
import { readConfig } from '../config/read-config.js';
import { type Output, print, printJson, sayOn } from '../output/output.js';
import { listenToSignals } from '../signals.js';
import { addDeskCommands } from './remote-desk.js';
import { greetDevices } from './remote-greeting.js';
import { readTls } from './remote-tls.js';

const RIGHTS: readonly RemoteRight[] = ['watch', 'approve', 'prompt', 'start'];

/** Configuration keys that belong to a step, not to a session that a person leads. */
const KEYS_OF_A_STEP = [
  ...['resume', 'sessionId', 'cwd', 'workingDir', 'repair', 'timeout', 'idleTimeout', 'transport'],
  ...['expandAt', 'promptDelivery', 'maxCliAttempts', 'approvalMode', 'unattended', 'startTimeout'],
  ...['systemPrompt', 'systemPromptFile', 'systemPromptMode', 'workspaceScan', 'keepArtifacts'],
  ...['permissionTimeout', 'maxCost', 'prices'],
];

const EXAMPLES = `
Examples:
  $ gemini-cli-provider remote install                     # once: the hooks of sessions at the desk
  $ gemini-cli-provider remote --public-url https://desk.example.ts.net --root ~/work
  $ gemini-cli-provider remote run -m gemini-2.5-pro       # in another terminal: the CLI under control
  $ gemini-cli-provider remote away                        # calls at the desk wait for the phone

The server is for one person. It listens on this machine alone; a tunnel brings it to the phone, for example
  $ tailscale serve --bg 8377          then --public-url https://MACHINE.TAILNET.ts.net --port 8377
  $ ssh -L 8377:127.0.0.1:8377 DESK    then http://127.0.0.1:8377 on the other machine

Exit codes: 0 ended · 2 wrong use or configuration · 129 terminal closed (SIGHUP) · 130 Ctrl-C · 1 other`;

interface RemoteFlags extends Record<string, unknown> {
  readonly port?: number;
  readonly host?: string;
  readonly publicUrl?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly root?: readonly string[];
  readonly rights?: readonly RemoteRight[];
  readonly allowYolo?: boolean;
  readonly state?: string;
  readonly json?: boolean;
}

export function addRemoteCommand(program: Command, output: Output): void {
  const command = program
    .command('remote')
    .description('Watch, approve and steer sessions from a phone or a browser')
    .option('--port <n>', 'Port of the server, 0 for a free one (default: 8377)', toPort)
    .option('--host <address>', 'Address to listen on (default: 127.0.0.1)', toAddress)
    .option(
      '--public-url <url>',
      'Address of the tunnel or proxy, for the QR code and push messages',
      toAddress,
    )
    .option('--tls-cert <file>', 'Certificate, for a server without a tunnel')
    .option('--tls-key <file>', 'Key of the certificate')
    .option(
      '--root <dir>',
      'Folder in which devices may start sessions (repeatable; default: the current one)',
      collectFolder,
    )
    .option(
      '--rights <a,b>',
      'Rights of new devices: watch, approve, prompt, start (default: all)',
      toRights,
    )
    .option('--allow-yolo', 'Let devices switch to the mode yolo')
    .option(
      '--state <dir>',
      "Folder for logs and devices (default: in the user's state folder)",
      toFolder,
    )
    .option('--json', 'Print one line with url, port and the path of the session list')
    .addHelpText('after', EXAMPLES);
  addConfigFlags(command, KEYS_OF_A_STEP)
    .allowExcessArguments()
    .action(async (flags: RemoteFlags, { args: [unknown] }: Command) => {
      if (unknown !== undefined) {
        const known = command.commands.map((one) => one.name()).join(', ');
        command.error(`error: unknown command '${unknown}'. Commands of remote: ${known}`);
      }
      process.exitCode = await serve(flags, output);
    });
  addDeskCommands(command, output);
}

async function serve(flags: RemoteFlags, output: Output): Promise<number> {
  const {
    port = REMOTE_PORT,
    host,
    publicUrl,
    root,
    rights,
    allowYolo,
    state,
    tlsCert,
    tlsKey,
  } = flags;
  const tls = await readTls(tlsCert, tlsKey);
  const config = parseConfig(
    await readConfig(withoutServerFlags(flags), { say: sayOn(output.stderr) }),
  );
  const { startRemote } = await import('../../remote/start-remote.js');
  const remote = await startRemote({
    ...{ port, host, publicUrl, roots: root, rights, allowYolo, state, tls, config },
    ...(config.logger === undefined ? {} : { logger: config.logger }),
  });
  const ended = new Promise<void>((end) => {
    signals = listenToSignals(output, { onInterrupt: () => end(), onEnd: () => end() });
  });
  if (flags.json === true) {
    const { url } = remote;
    await printJson(output.stdout, {
      url,
      port: remote.port,
      api: '/api/sessions',
      pairing: remote.pairingUrl(),
    });
  } else await greetDevices(remote, { publicUrl, state, portFlag: '--port' }, output.stdout);
  await ended;
  await remote.close();
  if (flags.json !== true)
    await print(output.stderr, 'The server has ended. Sessions in tmux go on.\n');
  return signals?.hangupExitCode ?? ((signals?.interrupts ?? 0) > 0 ? 130 : 0);
}

let signals: ReturnType<typeof listenToSignals> | undefined;

/** Flags of the server are no keys of the configuration. */
function withoutServerFlags(flags: RemoteFlags): Record<string, unknown> {
  const own = new Set([
    'port',
    'host',
    'publicUrl',
    'tlsCert',
    'tlsKey',
    'root',
    'rights',
    'allowYolo',
    'state',
    'json',
  ]);
  return Object.fromEntries(Object.entries(flags).filter(([name]) => !own.has(name)));
}

function collectFolder(value: string, all: readonly string[] | undefined): string[] {
  return [...(all ?? []), resolve(toFolder(value))];
}

function toAddress(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('Give an address.');
  return value;
}

function toRights(value: string): RemoteRight[] {
  const names = value.split(',').map((name) => name.trim());
  const rights = RIGHTS.filter((right) => names.includes(right));
  if (rights.length !== new Set(names).size)
    throw new InvalidArgumentError(`Give one or more of ${RIGHTS.join(', ')}.`);
  return rights;
}
