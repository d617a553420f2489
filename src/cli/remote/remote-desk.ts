import type { Command } from 'commander';
import { cleanName } from '../../base/text/clean-text.js';
import type { DeskClient, DeskStatus } from '../../remote/desk/ask-desk.js';
import { toFolder } from '../batch/batch-remote-flags.js';
import { type Output, print, printJson } from '../output/output.js';
import { attachToTmux } from './remote-attach.js';
import { printQrCode } from './remote-greeting.js';
import type { RunFlags } from './remote-run.js';

/** Characters of the id of a session in the status: enough for `remote attach`. */
const SHOWN_ID = 8;

const RUN_HELP = `
--resume and --session-id mean what they mean for the CLI. A CLI that ends at once is told with its last screen and its exit code.

The CLI gets the environment of this command, except variables of the terminal and of editors (TERM*, TMUX*, VSCODE_* and the
like, with which it would ask about its editor), of CI servers (CI, GITHUB_ACTIONS, VITEST*), and of the shell itself. TERM is
xterm-256color there, COLORTERM truecolor.`;

interface StateFlag {
  readonly state?: string;
  readonly json?: boolean;
}

/** Adds the commands for the desk, where the person sits. */
export function addDeskCommands(remote: Command, output: Output): void {
  const add = (name: string, description: string): Command =>
    remote
      .command(name)
      .description(description)
      .option(
        '--state <dir>',
        "Folder of the server (default: in the user's state folder)",
        toFolder,
      )
      .option('--json', 'Print the answer as JSON');
  /** Prints one JSON line, or a sentence. */
  const tell = async ({ json }: StateFlag, answer: object, sentence: string): Promise<void> => {
    if (json === true) await printJson(output.stdout, answer);
    else await print(output.stderr, `${sentence}\n`);
  };

  remote
    .command('run')
    .description('Start the CLI in tmux, under control of the server, and attach to it')
    .argument('[args...]', 'Arguments of the CLI, such as --resume latest')
    .option('-d, --detach', 'Do not attach: print the name of the session in tmux')
    .option('--state <dir>', 'Folder of the server, to check that the hooks belong to it', toFolder)
    .allowUnknownOption()
    .passThroughOptions()
    .addHelpText('after', RUN_HELP)
    .action(async (args: string[], flags: RunFlags) => {
      const { runAtDesk } = await import('./remote-run.js');
      process.exitCode = await runAtDesk(args, flags, output);
    });
  remote
    .command('attach')
    .description('Attach this terminal to a session that `remote run` has started')
    .argument('[id]', 'Beginning of its id, or its name in tmux (default: the latest)')
    .action(async (id: string | undefined) => {
      process.exitCode = await attachToTmux(id);
    });
  add('status', 'Print sessions and devices of the running server').action(
    async (flags: StateFlag) => {
      const answer = await (await openDesk(flags)).status();
      if (flags.json === true) await printJson(output.stdout, answer);
      else await printStatus(answer, output);
    },
  );
  add('pair', 'Print an address that pairs one device within two minutes, and its QR code').action(
    async (flags: StateFlag) => {
      const url = await (await openDesk(flags)).pair();
      if (flags.json === true) {
        await printJson(output.stdout, { url });
        return;
      }
      // Scripts read the address alone from stdout.
      await printQrCode(url, output.stderr);
      await print(output.stdout, `${url}\n`);
    },
  );
  add('away', 'Calls of sessions at the desk wait for an answer from a device').action(
    async (flags: StateFlag) => {
      const answer = await (await openDesk(flags)).setAway(true);
      await tell(flags, answer, 'You are away: calls at the desk wait for a device.');
      if (answer.note !== undefined) await print(output.stderr, `Note: ${answer.note}\n`);
    },
  );
  add('desk', 'Dialogs open at the desk at once').action(async (flags: StateFlag) => {
    const { isAway } = await (await openDesk(flags)).setAway(false);
    await tell(flags, { isAway }, 'You are at the desk: dialogs open there at once.');
  });
  add('devices', 'Print the paired devices').action(async (flags: StateFlag) => {
    const { devices } = await (await openDesk(flags)).status();
    if (flags.json === true) await printJson(output.stdout, devices);
    else
      for (const { id, name, rights, seenAt, expiresAt } of devices)
        await print(
          output.stdout,
          `${id}  ${name}  ${rights.join(',')}  seen ${seenAt}  paired until ${expiresAt}\n`,
        );
  });
  add('revoke', 'End the pairing of a device')
    .argument('<id>', 'Id of the device')
    .action(async (id: string, flags: StateFlag) => {
      await (await openDesk(flags)).revoke(id);
      await tell(flags, { id, isPaired: false }, 'The device is no longer paired.');
    });
  add(
    'install',
    'Link the hooks into the CLI as an extension; its settings are not touched',
  ).action(async (flags: StateFlag) => {
    const { installHooks } = await import('../../remote/hooks/install-hooks.js');
    const folder = await installHooks({ state: flags.state });
    if (flags.json === true) await printJson(output.stdout, { folder, isLinked: true });
    else await print(output.stdout, `Hooks are linked: ${folder}\n`);
  });
  add('uninstall', 'Remove the hooks from the CLI').action(async (flags: StateFlag) => {
    const { uninstallHooks } = await import('../../remote/hooks/install-hooks.js');
    await uninstallHooks({ state: flags.state });
    if (flags.json === true) await printJson(output.stdout, { isLinked: false });
    else await print(output.stdout, 'The hooks are removed.\n');
  });
}

async function openDesk({ state }: StateFlag): Promise<DeskClient> {
  const { DeskClient } = await import('../../remote/desk/ask-desk.js');
  return new DeskClient(state);
}

async function printStatus(
  { isAway, sessions, devices, notes }: DeskStatus,
  { stdout }: Output,
): Promise<void> {
  await print(
    stdout,
    `You are ${isAway ? 'away: calls wait for a device' : 'at the desk'}. Devices: ${devices.length}.\n`,
  );
  if (sessions.length === 0) await print(stdout, 'No sessions.\n');
  for (const session of sessions) {
    const { cliSessionId = '', state, driver, folder, title = 'no prompt yet' } = session;
    const id = cliSessionId.slice(0, SHOWN_ID).padEnd(SHOWN_ID);
    const waiting = session.openRequests === 0 ? '' : ` (${session.openRequests} waiting)`;
    const where = cleanName(folder);
    await print(stdout, `  ${id}  ${state}${waiting}  ${driver}  ${where}  ${cleanName(title)}\n`);
  }
  for (const note of notes) await print(stdout, `Note: ${note}\n`);
}
