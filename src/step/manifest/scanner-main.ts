import { messageOf } from '../../base/errors/message-of.js';
import { isObject } from '../../base/json/is-object.js';
import { Scanner } from './scanner.js';

/**
 * Program of the process that looks at a workspace on a remote file system. If the file system does not answer, this process
 * hangs in the kernel, and its host does not.
 */
process.title = 'gemini-cli-provider-scanner';
const scanner = new Scanner();

process.on('disconnect', () => process.exit());
process.on('message', async (message: unknown) => {
  if (!isObject(message)) return;
  const { id, request } = message;
  const answer = await scanner.serve(Object(request)).then(
    (value) => ({ id, value }),
    (error: unknown) => ({ id, problem: messageOf(error) }),
  );
  process.send?.(answer);
});
