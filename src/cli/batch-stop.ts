import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Output, print } from './output.js';

interface StopFlags {
  readonly state?: string;
  readonly cancel?: boolean;
  readonly wait: boolean;
}

export function addBatchStop(batch: Command, output: Output): void {
  batch
    .command('stop')
    .description('Stop a running batch from another terminal, container or machine')
    .argument('<dir>', 'Folder that was given with --out')
    .option('--state <dir>', 'Folder that was given with --state')
    .option('--cancel', 'Cancel running steps, as two Ctrl-C do (default: let them finish)')
    .option('--no-wait', 'Return at once, without waiting for the end of the batch')
    .action(async (folder: string, flags: StopFlags) => {
      const { stopBatch } = await import('../batch/run/stop-batch.js');
      await stopBatch({
        out: resolve(folder),
        state: flags.state,
        kind: flags.cancel === true ? 'cancel' : 'stop',
        wait: flags.wait,
        onProgress: (message) => void print(output.stderr, `${message}\n`),
      });
      if (flags.wait) await print(output.stdout, 'The batch has ended.\n');
    });
}
