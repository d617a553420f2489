import { isObject } from '../../../base/json/is-object.js';
import { IsolationHost } from './isolation-host.js';

/**
 * Program of the process that isolates steps whose working directory is on a remote file system. It reads and writes the file
 * system by synchronous calls, which would stop its host for seconds. When the host is gone, it ends what was begun.
 */
process.title = 'gemini-cli-provider-isolator';
const isolation = new IsolationHost();

process.on('disconnect', () => {
  void isolation.settle().finally(() => process.exit());
});
process.on('message', async (message: unknown) => {
  if (!isObject(message)) return;
  const { id, request } = message;
  const value = await isolation.serve(Object(request));
  if (process.connected) process.send?.({ id, value });
});
