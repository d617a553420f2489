import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const SUM_BYTES = 8;
const SEALED = /^\{"sum":"([0-9a-f]{16})","sig":"([\w-]{43})","content":([\s\S]*)\}$/;

/**
 * Result of reading a sealed text. `damaged`: the checksum is wrong. `foreign`: the checksum is right and the signature
 * is not, so the text was signed with another key or for another purpose.
 */
export type Unsealed =
  | { readonly kind: 'valid'; readonly content: string }
  | { readonly kind: 'damaged' | 'foreign' };

/** Signs texts with a key and checks them. A sealed text is a JSON object on one line. */
export class Seal {
  readonly #key: Buffer;
  /** Name of the key for messages. */
  readonly keyName: string;

  constructor(key: string | Buffer, keyName: string) {
    this.#key = createHmac('sha256', key).update('gemini-cli-provider state').digest();
    this.keyName = keyName;
  }

  /** Seals JSON text for a purpose. The same content sealed for another purpose counts as foreign. */
  seal(purpose: string, content: string): string {
    const signature = this.#sign(purpose, content).toString('base64url');
    return `{"sum":"${sumOf(signature, content)}","sig":"${signature}","content":${content}}`;
  }

  unseal(purpose: string, text: string): Unsealed {
    const [, sum, signature = '', content = ''] = SEALED.exec(text) ?? [];
    // The checksum covers the signature, too: a damaged signature must not look like that of another key.
    if (sum === undefined || sum !== sumOf(signature, content)) return { kind: 'damaged' };
    const expected = this.#sign(purpose, content);
    const given = Buffer.from(signature, 'base64url');
    const isValid = given.length === expected.length && timingSafeEqual(given, expected);
    return isValid ? { kind: 'valid', content } : { kind: 'foreign' };
  }

  #sign(purpose: string, content: string): Buffer {
    return createHmac('sha256', this.#key).update(`${purpose}\0${content}`).digest();
  }
}

function sumOf(signature: string, content: string): string {
  const hash = createHash('sha256').update(`${signature}\0${content}`).digest();
  return hash.subarray(0, SUM_BYTES).toString('hex');
}
