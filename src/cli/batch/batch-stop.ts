import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Output, print, printJson } from '../output/output.js';
import { explainFailure } from './batch-failure.js';

interface StopFlags {
  readonly state?: string;
  readonly cancel?: boolean;
  readonly wait: boolean;
  readonly json?: boolean;
}

export function addBatchStop(batch: Command, output: Output): void {
  batch
    .command('stop')
    .description('Stop a running batch from another terminal, container or machine')
    .argument('<dir>', 'Folder that was given with --out')
    .option('--state <dir>', 'Folder that was given with --state')
    .option('--cancel', 'Cancel running steps, as two Ctrl-C do (default: let them finish)')
    .option('--no-wait', 'Return at once, without waiting for the end of the batch')
    .option('--json', 'Print the result as one JSON object')
    .action(async (folder: string, flags: StopFlags) => {
      process.exitCode = await explainFailure(stop(folder, flags, output), flags, output);
    });
}

async function stop(folder: string, flags: StopFlags, output: Output): Promise<number> {
  const { stopBatch } = await import('../../batch/run/stop-batch.js');
  const kind = flags.cancel === true ? 'cancel' : 'stop';
  await stopBatch({
    out: resolve(folder),
    state: flags.state,
    kind,
    wait: flags.wait,
    onProgress: (message) => void print(output.stderr, `${message}\n`),
  });
  if (flags.json === true) await printJson(output.stdout, { ok: true, kind, ended: flags.wait });
  else if (flags.wait) await print(output.stdout, 'The batch has ended.\n');
  return 0;
}
