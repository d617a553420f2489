import { ProviderError } from '../../base/errors/provider-error.js';
import { STATE_KEY_VARIABLE } from '../../base/process/environment.js';
import type { IsolationRecord } from '../isolation/isolation-record.js';

function refuse(message: string, hint: string): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message,
    hint: `${hint} Nothing was removed.`,
  });
}

export function notAnOutputFolder(out: string, stateDir: string): ProviderError {
  return refuse(
    `${out} is no output folder of a batch`,
    `Pass the folder that the batch got with --out, and the same --state as the batch: its state was looked for in ${stateDir}.`,
  );
}

export function stateElsewhere(out: string, stateDir: string): ProviderError {
  return refuse(
    `The state of the batch in ${out} is not in ${stateDir}`,
    'Pass the same --state as the batch. If the state is lost, --force cleans the output folder alone.',
  );
}

export function foreignState(stateDir: string, reason: string): ProviderError {
  return refuse(
    `The state folder ${stateDir} ${reason}`,
    `Use the key of the batch (${STATE_KEY_VARIABLE}) if it has one. Remove the folder by hand if you know whose it is.`,
  );
}

export function unmergedWork(out: string, steps: readonly string[]): ProviderError {
  const named = steps.slice(0, 5).join(', ');
  const more = steps.length > 5 ? ` and ${steps.length - 5} more` : '';
  return refuse(
    `Finished work of the batch in ${out} is not merged yet and would be lost: ${named}${more}`,
    'Run the batch again to merge this work, or give --force to throw it away.',
  );
}

export function workspaceInUse(
  { home, owner }: IsolationRecord,
  isKnownAlive: boolean,
): ProviderError {
  const who = `process ${owner.pid} on ${owner.host}`;
  return isKnownAlive
    ? refuse(`${home} is in use by ${who}`, 'Wait until that process has ended, or end it.')
    : refuse(
        `${home} may be in use by ${who}`,
        'Clean up on that machine. If the machine or the container is gone, give --force.',
      );
}
