import { Writable } from 'node:stream';

/**
 * Takes stdout for the protocol. What other code writes to stdout from now on goes to stderr: one foreign line would break
 * the connection.
 */
export function claimStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const wire = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => void write(chunk, done),
  });
  stdout.on('error', (error) => void wire.destroy(error));
  stdout.write = stderr.write.bind(stderr);
  return wire;
}
