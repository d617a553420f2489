import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Higher levels of brotli save little, and hold up the first device. */
const BROTLI_LEVEL = 9;
const compress = {
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gzip: (content: Buffer) => promisify(gzip)(content, { level: 9 }),
} as const;

type Encoding = keyof typeof compress;

/** A file of the page. Each form is made once, when the first device asks for it. */
export class PageFile {
  readonly #type: string;
  readonly #read: () => Promise<Buffer>;
  #content: Promise<Buffer> | undefined;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  /** @param type media type of the file */
  constructor(type: string, read: () => Promise<Buffer>) {
    this.#type = type;
    this.#read = read;
  }

  /** Answers a request with the file, or with 304 if the browser has it. */
  async answer({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const content = await this.#load();
    // Pictures are compressed already.
    const isText = !this.#type.startsWith('image/png');
    const encoding = isText ? chooseEncoding(headers['accept-encoding']) : undefined;
    const tag = `"${createHash('sha256').update(content).digest('base64url')}${encoding ?? ''}"`;
    void reply
      .header('content-type', this.#type)
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-encoding')
      .header('etag', tag);
    if (hasTag(headers['if-none-match'], tag)) return reply.code(304).send();
    if (encoding === undefined) return reply.send(content);
    const compressed = this.#compressed.get(encoding) ?? compress[encoding](content);
    this.#compressed.set(encoding, compressed);
    return reply.header('content-encoding', encoding).send(await compressed);
  }

  /** Reads the file. A file that cannot be read is tried again for the next device. */
  #load(): Promise<Buffer> {
    this.#content ??= this.#read().catch((error: unknown) => {
      this.#content = undefined;
      throw error;
    });
    return this.#content;
  }
}

/** Returns the best encoding that a browser takes. */
export function chooseEncoding(accepted: string | undefined): Encoding | undefined {
  const refused = /^q=0(?:\.0*)?$/;
  const names = (accepted ?? '').split(',').flatMap((part) => {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    return parameters.some((parameter) => refused.test(parameter)) ? [] : [name];
  });
  return (['br', 'gzip'] as const).find((name) => names.includes(name));
}

/** True if a browser has the file with this tag. Proxies that compress turn a tag into a weak one. */
function hasTag(known: string | undefined, tag: string): boolean {
  const tags = (known ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  return tags.includes(tag);
}
