import { readFileSync } from 'node:fs';
import { statIfThere } from '../../base/fs/stats.js';

export type TextFile = { readonly text: string } | { readonly problem: string };

/** Reads a UTF-8 file, or says why it cannot be read. Refuses pipes and devices: their content may never end. */
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
