import { readFileSync } from 'node:fs';
import { statIfThere } from '../../base/fs/stats.js';

export type TextFile = { readonly text: string } | { readonly problem: string };

/** The text to the letter, or why it cannot be had. Never waits: a pipe or a device has no end. */
export function readTextFile(path: string, mostBytes: number): TextFile {
  const stats = statIfThere(path);
  if (stats === undefined) return { problem: 'does not exist' };
  if (stats.isDirectory()) return { problem: 'is a folder' };
  if (!stats.isFile()) return { problem: 'is not a regular file' };
  if (stats.size > mostBytes) return { problem: `has more than ${mostBytes} bytes` };
  const bytes = readBytes(path);
  if (bytes === undefined) return { problem: 'cannot be read' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { problem: 'is not UTF-8' };
  }
}

function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
