import { describe, expect, it } from 'vitest';
import { payloadSchema, readPayload, writePayload } from '../../../src/queue/protocol/payload.js';
import type { BlobStore } from '../../../src/queue/store/blob-store.js';

/** Blobs in memory. */
class MemoryBlobs implements BlobStore {
  readonly all = new Map<string, Buffer>();

  async put(key: string, bytes: Uint8Array): Promise<void> {
    this.all.set(key, Buffer.from(bytes));
  }
  async get(key: string): Promise<Buffer | undefined> {
    return this.all.get(key);
  }
  async has(key: string): Promise<boolean> {
    return this.all.has(key);
  }
  async touch(): Promise<void> {}
  async delete(key: string): Promise<void> {
    this.all.delete(key);
  }
  async list(prefix: string): Promise<string[]> {
    return [...this.all.keys()].filter((key) => key.startsWith(prefix)).sort();
  }
}

// Three bytes per character: the borders of the chunks are inside of characters.
const LARGE = '€'.repeat(800_000);

describe('payloads', () => {
  it('keep a small text in the job', async () => {
    const blobs = new MemoryBlobs();
    const text = 'a'.repeat(64 * 1024);
    const payload = await writePayload(text, blobs, 1_000);
    expect(payload).toEqual({ text });
    expect(blobs.all.size).toBe(0);
    expect(await readPayload(payload, blobs)).toBe(text);
  });

  it('write a large text in chunks and give it back', async () => {
    const blobs = new MemoryBlobs();
    const payload = await writePayload(LARGE, blobs, 1_000);
    expect(payload).toMatchObject({ bytes: 2_400_000 });
    expect(payloadSchema.parse(JSON.parse(JSON.stringify(payload)))).toEqual(payload);
    expect([...blobs.all.values()].map(({ length }) => length)).toEqual([
      1_048_576, 1_048_576, 302_848,
    ]);
    expect((await readPayload(payload, blobs)) === LARGE).toBe(true);
  });

  it('ask for no more chunks after one that is missing, whatever number of bytes is claimed', async () => {
    let asked = 0;
    const blobs = new MemoryBlobs();
    blobs.get = async () => {
      asked++;
      return undefined;
    };
    const claimed = { sha256: '0'.repeat(64), bytes: Number.MAX_SAFE_INTEGER };
    await expect(readPayload(claimed, blobs)).rejects.toMatchObject({ code: 'INCOMPLETE' });
    expect(asked).toBe(1);
  });

  it('refuse a text with a chunk that is missing or was changed', async () => {
    const blobs = new MemoryBlobs();
    const payload = await writePayload(LARGE, blobs, 1_000);
    const [first = '', second = ''] = await blobs.list('payload/');
    const kept = blobs.all.get(second) ?? Buffer.alloc(0);
    await blobs.delete(second);
    await expect(readPayload(payload, blobs)).rejects.toMatchObject({ code: 'INCOMPLETE' });
    await blobs.put(second, kept);
    expect((await readPayload(payload, blobs)) === LARGE).toBe(true);
    blobs.all.get(first)?.fill(0, 0, 1);
    await expect(readPayload(payload, blobs)).rejects.toMatchObject({ code: 'INCOMPLETE' });
  });
});
