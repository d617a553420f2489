import { z } from 'zod';
import { ProviderError } from '../../base/errors/provider-error.js';
import { sha256 } from '../../base/fs/fingerprint.js';
import type { BlobStore } from '../store/blob-store.js';

/** Largest text in characters that is part of a job itself. A large job blocks the event loop of both sides. */
const MOST_INLINE = 64 * 1024;
const CHUNK_BYTES = 1024 * 1024;
/** Room of the blobs that hold large texts. */
const ROOM = 'payload';

/** A text in a job: as it is, or as blobs that are named by the SHA-256 of the whole. */
export const payloadSchema = z.union([
  z.object({ text: z.string() }),
  z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.int().min(0) }),
]);
export type Payload = z.output<typeof payloadSchema>;

/** Writes a text. A large one goes to the blobs, in chunks. */
export async function writePayload(
  text: string,
  blobs: BlobStore,
  ttlMs: number,
): Promise<Payload> {
  if (text.length <= MOST_INLINE) return { text };
  const bytes = Buffer.from(text);
  const digest = sha256(bytes);
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    const chunk = bytes.subarray(start, start + CHUNK_BYTES);
    await blobs.put(`${ROOM}/${digest}/${start / CHUNK_BYTES}`, chunk, ttlMs);
  }
  return { sha256: digest, bytes: bytes.length };
}

/** Reads a text and checks its digest. Throws INCOMPLETE if a blob is missing or was changed. */
export async function readPayload(payload: Payload, blobs: BlobStore): Promise<string> {
  if ('text' in payload) return payload.text;
  const count = Math.ceil(payload.bytes / CHUNK_BYTES);
  const chunks: Buffer[] = [];
  for (let index = 0; index < count; index++) {
    const chunk = await blobs.get(`${ROOM}/${payload.sha256}/${index}`);
    // A wrong number of bytes must not lead to millions of requests.
    if (chunk === undefined) break;
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (sha256(bytes) === payload.sha256) return bytes.toString('utf8');
  throw new ProviderError({
    code: 'INCOMPLETE',
    message: `The store no longer has the blob ${payload.sha256.slice(0, 12)} of ${payload.bytes} bytes, or has another content`,
    hint: 'Run the step again. Raise `retention.age` if results are read later.',
  });
}
