// Runs a server for a test: `server-host.mjs folder command args...`. The end of stdin ends the server and removes the folder
// with its data, so that the server ends with the test, even by SIGKILL. The first line on stdout is the pid of the server.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

const [folder = '', command = '', ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], detached: true });
server.once('error', ({ message }) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
});
let isOver = false;
server.once('exit', (code) => {
  if (isOver) rmSync(folder, { recursive: true, force: true });
  process.exit(code ?? 1);
});
process.stdout.on('error', () => {});
process.stdout.write(`${server.pid}\n`);
process.stdin.once('end', () => {
  isOver = true;
  server.kill('SIGKILL');
});
process.stdin.resume();
// Ctrl-C in the terminal of the tests reaches the test first, which ends the server in order.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM']) process.on(signal, () => {});
