#!/usr/bin/env node
// The real CLI behind a pipe that loses everything after LOSSY_BYTES, as a slow reader makes it do by itself.
import { spawn } from 'node:child_process';

const child = spawn(
  process.execPath,
  [process.env['REAL_GEMINI'] ?? '', ...process.argv.slice(2)],
  {
    stdio: ['inherit', 'pipe', 'inherit'],
  },
);
let left = Number(process.env['LOSSY_BYTES']);
child.stdout.on('data', (chunk) => {
  if (left > 0) process.stdout.write(chunk.subarray(0, left));
  left -= chunk.length;
});
child.on('close', (code) => process.exit(code ?? 1));
