/**
 * Mounts an empty folder whose file system is served by this program: `node fuse-folder.mjs FOLDER`. Prints `mounted`. The
 * line `freeze` on stdin ends all answers, as if the server of a network file system was gone. Linux only, as root.
 */
import { spawn } from 'node:child_process';
import { openSync, read, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , folder = ''] = process.argv;
const IN_HEADER_BYTES = 40;
const OUT_HEADER_BYTES = 16;
const FOLDER_MODE = 0o40755;
const ENOENT = -2;
const ENOSYS = -38;
const INIT = 26;
/** Requests that are never answered: FORGET, BATCH_FORGET, INTERRUPT. */
const SILENT = new Set([2, 42, 36]);
let isFrozen = false;

const device = openSync('/dev/fuse', 'r+');
const options = `fd=3,rootmode=40000,user_id=0,group_id=0,allow_other`;
const mount = spawn('mount', ['-i', '-t', 'fuse', '-o', options, 'fuse-folder', folder], {
  stdio: ['ignore', 'inherit', 'inherit', device],
});
mount.once('exit', (code) => {
  if (code === 0) console.log('mounted');
  else process.exit(1);
});
createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'freeze') isFrozen = true;
});
serve();

function serve() {
  const buffer = Buffer.alloc(2 ** 20);
  read(device, buffer, 0, buffer.length, null, (error, length) => {
    // ENODEV: the folder was unmounted.
    if (error?.code === 'ENODEV') process.exit(0);
    if (error === null && length >= IN_HEADER_BYTES) answer(buffer.subarray(0, length));
    serve();
  });
}

/** @param {Buffer} request */
function answer(request) {
  const opcode = request.readUInt32LE(4);
  if (SILENT.has(opcode) || (isFrozen && opcode !== INIT)) return;
  const { error = 0, body = Buffer.alloc(0) } = respond(opcode);
  const header = Buffer.alloc(OUT_HEADER_BYTES);
  header.writeUInt32LE(OUT_HEADER_BYTES + body.length, 0);
  header.writeInt32LE(error, 4);
  request.copy(header, 8, 8, 16);
  try {
    writeSync(device, Buffer.concat([header, body]));
  } catch {
    // The request was interrupted meanwhile.
  }
}

/**
 * @param {number} opcode
 * @returns {{ error?: number, body?: Buffer }}
 */
function respond(opcode) {
  switch (opcode) {
    case INIT: {
      const body = Buffer.alloc(64);
      for (const [at, value] of [
        [0, 7],
        [4, 31],
        [20, 4096],
        [24, 1],
      ])
        body.writeUInt32LE(value ?? 0, at);
      return { body };
    }
    case 3: {
      // GETATTR: a folder. The answer is valid for no time, so that each call asks again.
      const body = Buffer.alloc(104);
      body.writeBigUInt64LE(1n, 16);
      body.writeUInt32LE(FOLDER_MODE, 76);
      body.writeUInt32LE(2, 80);
      return { body };
    }
    case 1:
      return { error: ENOENT };
    case 27:
      return { body: Buffer.alloc(16) };
    case 17:
      return { body: Buffer.alloc(80) };
    // READDIR, RELEASEDIR, FLUSH, ACCESS, DESTROY: success without content.
    case 28:
    case 29:
    case 25:
    case 34:
    case 38:
      return {};
    default:
      return { error: ENOSYS };
  }
}
