import * as fs from 'node:fs';
import { join } from 'node:path';
import * as wire from './fuse-wire.mjs';

const [MODE, UID, GID, SIZE, ATIME, MTIME, ATIME_NOW, MTIME_NOW] = [1, 2, 4, 8, 16, 32, 128, 256];
const TYPES = { file: 8, folder: 4, link: 10 };

/** Serves the files of a folder of the disk to the kernel: one method for each request of the FUSE protocol. */
export class FuseFiles {
  /** @type {Map<number, string>} */
  #paths = new Map();
  #nodes = 1;
  /** Seconds for which the kernel keeps an answer. */
  validS = 0;

  /** @param {string} folder */
  constructor(folder) {
    this.#paths.set(1, folder);
  }

  /**
   * Returns the body of the answer. Throws errors of the file system.
   * @param {number} opcode
   * @param {number} node
   * @param {Buffer} body
   * @returns {Buffer | undefined} undefined for a request that is not known
   */
  answer(opcode, node, body) {
    const path = this.#paths.get(node) ?? '/missing';
    const [first = '', second = ''] = wire.readTexts(body.subarray(this.#skipped(opcode)));
    switch (opcode) {
      case 1:
        return this.#entry(join(path, first));
      case 3:
        return wire.attributesOut(fs.lstatSync(path, { bigint: true }), this.validS);
      case 4:
        return this.#setAttributes(path, body);
      case 5:
        return Buffer.from(fs.readlinkSync(path));
      case 6:
        fs.symlinkSync(second, join(path, first));
        return this.#entry(join(path, first));
      case 8:
        fs.writeFileSync(join(path, first), '', {
          flag: 'wx',
          mode: body.readUInt32LE(0) & 0o7777,
        });
        return this.#entry(join(path, first));
      case 9:
        fs.mkdirSync(join(path, first), { mode: body.readUInt32LE(0) & 0o7777 });
        return this.#entry(join(path, first));
      case 10:
        fs.unlinkSync(join(path, first));
        return Buffer.alloc(0);
      case 11:
        fs.rmdirSync(join(path, first));
        return Buffer.alloc(0);
      case 12:
      case 45:
        this.#rename(join(path, first), join(this.#folder(body), second));
        return Buffer.alloc(0);
      case 13:
        fs.linkSync(this.#folder(body), join(path, first));
        return this.#entry(join(path, first));
      case 14:
        return wire.openOut(fs.openSync(path, openFlags(body)));
      case 15:
        return read(body);
      case 16:
        return write(body);
      case 17:
        return wire.statfsOut();
      case 18:
        fs.closeSync(Number(body.readBigUInt64LE(0)));
        return Buffer.alloc(0);
      case 26:
        return wire.initOut();
      case 27:
        return wire.openOut(0);
      case 28:
        return list(path, body);
      case 35: {
        const file = fs.openSync(
          join(path, first),
          openFlags(body) | fs.constants.O_CREAT,
          body.readUInt32LE(4) & 0o7777,
        );
        return Buffer.concat([this.#entry(join(path, first)), wire.openOut(file)]);
      }
      // FSYNC, FLUSH, RELEASEDIR, FSYNCDIR, ACCESS, DESTROY: success without content.
      case 20:
      case 25:
      case 29:
      case 30:
      case 34:
      case 38:
        return Buffer.alloc(0);
      default:
        return undefined;
    }
  }

  /** Bytes before the names in the body of a request. @param {number} opcode */
  #skipped(opcode) {
    return { 8: 16, 9: 8, 12: 8, 13: 8, 35: 16, 45: 16 }[opcode] ?? 0;
  }

  /** The node that the first field of a body names. @param {Buffer} body */
  #folder(body) {
    return this.#paths.get(Number(body.readBigUInt64LE(0))) ?? '/missing';
  }

  /** @param {string} path */
  #entry(path) {
    const stats = fs.lstatSync(path, { bigint: true });
    const known = [...this.#paths].find(([, other]) => other === path)?.[0];
    const node = known ?? ++this.#nodes;
    this.#paths.set(node, path);
    return wire.entryOut(node, stats, this.validS);
  }

  /** @param {string} from @param {string} to */
  #rename(from, to) {
    fs.renameSync(from, to);
    for (const [node, path] of this.#paths) {
      if (path === to || path.startsWith(`${to}/`)) this.#paths.delete(node);
      if (path === from || path.startsWith(`${from}/`))
        this.#paths.set(node, to + path.slice(from.length));
    }
  }

  /** @param {string} path @param {Buffer} body */
  #setAttributes(path, body) {
    const valid = body.readUInt32LE(0);
    const has = (/** @type {number} */ bit) => (valid & bit) !== 0;
    if (has(MODE)) fs.chmodSync(path, body.readUInt32LE(68) & 0o7777);
    if (has(UID) || has(GID)) {
      const stats = fs.lstatSync(path);
      fs.lchownSync(
        path,
        has(UID) ? body.readUInt32LE(76) : stats.uid,
        has(GID) ? body.readUInt32LE(80) : stats.gid,
      );
    }
    if (has(SIZE)) fs.truncateSync(path, Number(body.readBigUInt64LE(16)));
    if (has(ATIME) || has(MTIME)) {
      const now = Date.now() / 1000;
      const at = (/** @type {number} */ s, /** @type {number} */ ns) =>
        Number(body.readBigUInt64LE(s)) + body.readUInt32LE(ns) / 1e9;
      const atime = has(ATIME_NOW) || !has(ATIME) ? now : at(32, 56);
      const mtime = has(MTIME_NOW) || !has(MTIME) ? now : at(40, 60);
      fs.lutimesSync(path, atime, mtime);
    }
    return wire.attributesOut(fs.lstatSync(path, { bigint: true }), this.validS);
  }
}

/** The kernel truncates by a request of its own, and writes at offsets. @param {Buffer} body */
function openFlags(body) {
  const { O_APPEND, O_CREAT, O_EXCL, O_TRUNC, O_NOFOLLOW } = fs.constants;
  return body.readUInt32LE(0) & 0x3fffff & ~(O_APPEND | O_CREAT | O_EXCL | O_TRUNC | O_NOFOLLOW);
}

/** @param {Buffer} body */
function read(body) {
  const content = Buffer.alloc(body.readUInt32LE(16));
  const bytes = fs.readSync(
    Number(body.readBigUInt64LE(0)),
    content,
    0,
    content.length,
    Number(body.readBigUInt64LE(8)),
  );
  return content.subarray(0, bytes);
}

/** @param {Buffer} body */
function write(body) {
  const size = body.readUInt32LE(16);
  const content = body.subarray(40, 40 + size);
  const at = Number(body.readBigUInt64LE(8));
  return wire.writeOut(fs.writeSync(Number(body.readBigUInt64LE(0)), content, 0, size, at));
}

/** @param {string} path @param {Buffer} body */
function list(path, body) {
  const entries = fs.readdirSync(path, { withFileTypes: true }).map((entry) => {
    const kind = entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'file';
    return { name: entry.name, type: TYPES[kind] };
  });
  const all = [{ name: '.', type: 4 }, { name: '..', type: 4 }, ...entries];
  return wire.entriesOut(all, Number(body.readBigUInt64LE(8)), body.readUInt32LE(16));
}
