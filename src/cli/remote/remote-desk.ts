import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { readEnvironment } from '../../base/process/environment.js';
import type { DeskClient, DeskStatus } from '../../remote/desk/ask-desk.js';
import { type Output, print, printJson } from '../output/output.js';
import { attachToTmux } from './remote-attach.js';

/** Characters of the id of a session in the status: enough for `remote attach`. */
const SHOWN_ID = 8;

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
      .option('--state <dir>', "Folder of the server (default: in the user's state folder)")
      .option('--json', 'Print the answer as JSON');

  remote
    .command('run')
    .description('Start the CLI in tmux, under control of the server, and attach to it')
    .argument('[args...]', 'Arguments of the CLI')
    .option('-d, --detach', 'Do not attach')
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (args: string[], flags: { detach?: boolean }) => {
      const { startCliInTmux } = await import('../../remote/tmux/start-cli.js');
      const started = await startCliInTmux({
        folder: process.cwd(),
        args,
        cliSessionId: randomUUID(),
        isResumed: false,
        environment: readEnvironment(),
      });
      if (flags.detach === true) {
        await print(output.stdout, `${started.name}\n`);
        return;
      }
      process.exitCode = await attachToTmux(started.name);
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
  add('pair', 'Print an address that pairs one device within two minutes').action(
    async (flags: StateFlag) => {
      const url = await (await openDesk(flags)).pair();
      if (flags.json === true) await printJson(output.stdout, { url });
      else await print(output.stdout, `${url}\n`);
    },
  );
  add('away', 'Calls of sessions at the desk wait for an answer from a device').action(
    async (flags: StateFlag) => {
      await (await openDesk(flags)).setAway(true);
      await print(output.stderr, 'You are away: calls at the desk wait for a device.\n');
    },
  );
  add('desk', 'Dialogs open at the desk at once').action(async (flags: StateFlag) => {
    await (await openDesk(flags)).setAway(false);
    await print(output.stderr, 'You are at the desk: dialogs open there at once.\n');
  });
  add('devices', 'Print the paired devices').action(async (flags: StateFlag) => {
    const { devices } = await (await openDesk(flags)).status();
    if (flags.json === true) await printJson(output.stdout, devices);
    else
      for (const { id, name, rights, seenAt } of devices)
        await print(output.stdout, `${id}  ${name}  ${rights.join(',')}  seen ${seenAt}\n`);
  });
  add('revoke', 'End the pairing of a device')
    .argument('<id>', 'Id of the device')
    .action(async (id: string, flags: StateFlag) => {
      await (await openDesk(flags)).revoke(id);
      await print(output.stderr, 'The device is no longer paired.\n');
    });
  add(
    'install',
    'Link the hooks into the CLI as an extension; its settings are not touched',
  ).action(async (flags: StateFlag) => {
    const { installHooks } = await import('../../remote/hooks/install-hooks.js');
    await print(output.stdout, `Hooks are linked: ${await installHooks({ state: flags.state })}\n`);
  });
  add('uninstall', 'Remove the hooks from the CLI').action(async (flags: StateFlag) => {
    const { uninstallHooks } = await import('../../remote/hooks/install-hooks.js');
    await uninstallHooks({ state: flags.state });
    await print(output.stdout, 'The hooks are removed.\n');
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
    await print(stdout, `  ${id}  ${state}${waiting}  ${driver}  ${folder}  ${title}\n`);
  }
  for (const note of notes) await print(stdout, `Note: ${note}\n`);
}
