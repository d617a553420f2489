import { createFinder, joinSpans, type TextSpan } from './find-texts.js';
import { formsOf } from './secret-forms.js';
import { isSecretVariable } from './secret-names.js';

/** Replaces known secrets and all text that has the shape of a credential. */
export interface Redactor {
  text(text: string): string;
  /**
   * Redacts a text that is cut into pieces, and returns as many pieces. The replacement stands where the secret begins;
   * the following pieces lose their part of it.
   */
  pieces(pieces: readonly string[]): string[];
  /** Returns a copy of plain data with every string and key inside redacted. */
  value<T>(value: T): T;
}

const REPLACEMENT = '[redacted]';

/**
 * API keys, OAuth access and refresh tokens, values after `Bearer` or `key=`, and passwords in URLs. The secret is the
 * last group, or the whole match. No pattern looks behind itself, so that each takes linear time.
 */
const CREDENTIAL_SHAPES: readonly RegExp[] = [
  /\bAIza[\w-]{30,}/g,
  /\bya29\.[\w.-]{20,}/g,
  /\b1\/\/0[\w-]{20,}/g,
  /\bBearer\s{1,8}([\w.~+/-]{16,}=*)/gi,
  /[?&]key=([^&\s"'\\]{8,})/g,
  /:\/\/[^\s/:@?#"'\\]{0,256}:([^\s/?#"'\\]+)(?=@)/g,
];

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Returns the secrets of an environment: values of variables with a secret name, except paths and short values, and
 * the values of the named variables, whatever they are.
 */
export function secretsOf(env: Variables, named: readonly string[] = []): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined || value === '') return [];
    return named.includes(name) || isSecretVariable(name, value) ? [value] : [];
  });
}

export function createRedactor(secrets: readonly string[]): Redactor {
  // Made at the first use: most steps never redact a text.
  let find: ((text: string) => TextSpan[]) | undefined;
  const findSecrets = (text: string): TextSpan[] => {
    find ??= createFinder([...new Set(secrets.flatMap(formsOf))]);
    const known = secrets.length === 0 ? [] : find(text);
    const shaped = CREDENTIAL_SHAPES.flatMap((shape) => {
      return [...text.matchAll(shape)].map((match): TextSpan => {
        const end = match.index + match[0].length;
        return [end - (match[1] ?? match[0]).length, end];
      });
    });
    return joinSpans([...known, ...shaped]);
  };
  const text = (input: string): string => {
    const spans = findSecrets(input);
    return spans.length === 0 ? input : replaceSpans(input, 0, spans);
  };
  return {
    text,
    pieces: (pieces) => {
      const spans = findSecrets(pieces.join(''));
      let offset = 0;
      return pieces.map((piece) => {
        const start = offset;
        offset += piece.length;
        return spans.length === 0 ? piece : replaceSpans(piece, start, spans);
      });
    },
    value: (value) => redactDeep(value, text),
  };
}

/** Redactor without known secrets: replaces only text that has the shape of a credential. */
export const noSecrets: Redactor = createRedactor([]);

/** Replaces spans of a longer text in the piece of it that begins at `offset`. */
function replaceSpans(piece: string, offset: number, spans: readonly TextSpan[]): string {
  const end = offset + piece.length;
  let kept = '';
  let at = offset;
  for (const [from, to] of spans.slice(firstAfter(spans, offset))) {
    if (from >= end) break;
    if (from >= at) kept += `${piece.slice(at - offset, from - offset)}${REPLACEMENT}`;
    at = Math.min(to, end);
  }
  return kept + piece.slice(at - offset);
}

/** Returns the index of the first span that ends after the offset. The spans are in order. */
function firstAfter(spans: readonly TextSpan[], offset: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle]?.[1] ?? 0) > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

function redactDeep<T>(value: T, text: (input: string) => string): T {
  const json = JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'string') return text(inner);
    return typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? redactKeys(inner, text)
      : inner;
  });
  return json === undefined ? value : JSON.parse(json);
}

function redactKeys(object: object, text: (input: string) => string): object {
  const keys = Object.keys(object);
  if (keys.every((key) => text(key) === key)) return object;
  return Object.fromEntries(Object.entries(object).map(([key, inner]) => [text(key), inner]));
}
