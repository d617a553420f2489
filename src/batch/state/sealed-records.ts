import { join } from 'node:path';
import type { RecordFolderOptions } from '../../step/protection/record-folder.js';
import { sealOf } from './state-key.js';

/**
 * Describes the folder of a batch for records of its steps: which protected files they have changed, signed with the key
 * of the batch. Steps in worktrees and copies share the records.
 */
export function describeSealedRecords(stateDir: string): RecordFolderOptions {
  const path = join(stateDir, 'steps');
  return {
    path,
    hasCopies: true,
    codec: {
      encode: (name, record) => sealOf(join(path, name)).seal(name, JSON.stringify(record)),
      decode: (name, text) => {
        const unsealed = sealOf(join(path, name)).unseal(name, text);
        return unsealed.kind === 'valid' ? JSON.parse(unsealed.content) : undefined;
      },
    },
  };
}
