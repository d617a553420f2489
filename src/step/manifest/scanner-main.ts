import { opendirSync, statSync } from 'node:fs';
import { messageOf } from '../../base/errors/message-of.js';
import { isObject } from '../../base/json/is-object.js';
import type { ScannerRequest } from '../remote-workspace.js';
import { takeSnapshot } from './snapshot.js';
import type { WorkspaceSnapshot } from './workspace-change.js';

/**
 * Program of the process that looks at a workspace on a remote file system. If the file system does not answer, this process
 * hangs in the kernel, and its host does not.
 */
process.title = 'gemini-cli-provider-scanner';
let snapshot: WorkspaceSnapshot | undefined;

process.on('disconnect', () => process.exit());
process.on('message', (message: unknown) => {
  if (!isObject(message)) return;
  void respond(Number(message['id']), Object(message['request']));
});

async function respond(id: number, request: ScannerRequest): Promise<void> {
  try {
    process.send?.({ id, value: await serve(request) });
  } catch (error) {
    process.send?.({ id, problem: messageOf(error) });
  }
}

async function serve(request: ScannerRequest): Promise<unknown> {
  switch (request.type) {
    case 'probe':
      for (const folder of request.folders) probe(folder);
      return true;
    case 'snapshot':
      snapshot = await takeSnapshot(request.request);
      return true;
    case 'changes':
      if (snapshot === undefined) throw new Error('There is no snapshot');
      return snapshot.changes();
  }
}

/** Asks for the stats and the content of a folder. A missing folder is an answer too. */
function probe(folder: string): void {
  try {
    if (statSync(folder).isDirectory()) opendirSync(folder).closeSync();
  } catch {
    // The file system has answered, with an error.
  }
}
