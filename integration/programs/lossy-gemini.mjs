#!/usr/bin/env node
// Runs the real CLI and drops its stdout after LOSSY_BYTES, as the CLI itself does when the reader is slow.
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
