/**
 * Mounts a folder of the disk at another path, served by this program: `node fuse-folder.mjs FOLDER SOURCE`. Prints
 * `mounted`. Lines on stdin make it a bad network file system: `delay 100` answers each request after 100 ms, `freeze`
 * answers no more, as if the server was gone. Linux only, as root.
 */
import { spawn } from 'node:child_process';
import { openSync, read, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { FuseFiles } from './fuse-files.mjs';
import { ENOENT, ENOSYS, IN_HEADER_BYTES } from './fuse-wire.mjs';

const [, , folder = '', source = ''] = process.argv;
const OUT_HEADER_BYTES = 16;
const INIT = 26;
/** Requests that are never answered: FORGET, BATCH_FORGET, INTERRUPT. */
const SILENT = new Set([2, 42, 36]);
/** Longest time without answers. A test that waits for an answer in its own thread then fails, instead of hanging for ever. */
const LONGEST_FREEZE_MS = 90_000;
let isFrozen = false;
let delayMs = 0;
/** @type {Buffer[]} */
const unanswered = [];

const files = new FuseFiles(source);
const device = openSync('/dev/fuse', 'r+');
const options = `fd=3,rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions`;
const mount = spawn('mount', ['-i', '-t', 'fuse', '-o', options, 'fuse-folder', folder], {
  stdio: ['ignore', 'inherit', 'inherit', device],
});
mount.once('exit', (code) => {
  if (code === 0) console.log('mounted');
  else process.exit(1);
});
createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'freeze') {
    isFrozen = true;
    setTimeout(thaw, LONGEST_FREEZE_MS);
  }
  if (line === 'thaw') thaw();
  if (line.startsWith('delay ')) {
    delayMs = Number(line.slice('delay '.length));
    // A network file system keeps attributes for a while (NFS: three seconds and more).
    files.validS = 1;
  }
  console.log(line);
});
serve();

function thaw() {
  isFrozen = false;
  for (const request of unanswered.splice(0)) answer(request);
}

function serve() {
  const buffer = Buffer.alloc(2 ** 20);
  read(device, buffer, 0, buffer.length, null, (error, length) => {
    // ENODEV: the folder was unmounted.
    if (error?.code === 'ENODEV') process.exit(0);
    if (error === null && length >= IN_HEADER_BYTES) {
      const request = buffer.subarray(0, length);
      if (delayMs > 0) setTimeout(answer, delayMs, request);
      else answer(request);
    }
    serve();
  });
}

/** @param {Buffer} request */
function answer(request) {
  const opcode = request.readUInt32LE(4);
  if (SILENT.has(opcode)) return;
  if (isFrozen && opcode !== INIT) {
    unanswered.push(request);
    return;
  }
  const { errno, body } = respond(request, opcode);
  const header = Buffer.alloc(OUT_HEADER_BYTES);
  header.writeUInt32LE(OUT_HEADER_BYTES + body.length, 0);
  header.writeInt32LE(-errno, 4);
  request.copy(header, 8, 8, 16);
  try {
    writeSync(device, Buffer.concat([header, body]));
  } catch {
    // The request was interrupted meanwhile.
  }
}

/**
 * @param {Buffer} request
 * @param {number} opcode
 */
function respond(request, opcode) {
  const none = Buffer.alloc(0);
  try {
    const node = Number(request.readBigUInt64LE(16));
    const body = files.answer(opcode, node, request.subarray(IN_HEADER_BYTES));
    return body === undefined ? { errno: ENOSYS, body: none } : { errno: 0, body };
  } catch (error) {
    /** @type {Readonly<Record<string, number>>} */
    const numbers = constants.errno;
    return { errno: numbers[Object(error).code] ?? ENOENT, body: none };
  }
}
