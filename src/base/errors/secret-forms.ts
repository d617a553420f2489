import { isObject } from '../json/is-object.js';
import { isSecretName, SHORTEST_SECRET } from './secret-names.js';

/** Longest secret for which encoded forms are looked for. A longer one is found as it is, and line by line. */
const LONGEST_ENCODED = 16 * 1024;
/** Widths at which `base64` and PEM break their lines. */
const BASE64_WIDTHS = [64, 76];
/** Beginnings of the lines of a diff, and the line ends of Windows. */
const LINE_JOINTS = ['\n+', '\n-', '\n ', '\r\n'];
/** Lines that all keys of a kind have. */
const PUBLIC_LINE = /^-----(?:BEGIN|END) [A-Z0-9 ]+-----$/;

/** Returns all texts in which a secret can appear and that are looked for: see the table in the README of this wing. */
export function formsOf(secret: string): string[] {
  const received = asReceived(secret);
  const parts = partsOf(received);
  const wholes = [secret, received, ...joinedLines(received), ...parts];
  const forms = new Set(wholes.flatMap(jsonForms));
  for (const whole of [received, ...parts]) {
    // An encoded form of a short value is so short that ordinary words would contain it.
    for (const form of encodedForms(whole)) if (form.length >= SHORTEST_SECRET) forms.add(form);
  }
  return [...forms].filter((form) => form !== '');
}

/** Returns the text as a child process receives it: Node replaces half a surrogate pair by U+FFFD. */
function asReceived(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

/**
 * Returns the parts of a secret that are secrets themselves: its long lines, the token after `Bearer`, the values of a
 * cookie, the password of a Basic header, and secret fields of JSON.
 */
function partsOf(secret: string): string[] {
  const [, scheme = '', token = ''] = /^(Bearer|Basic|Token)\s+(\S+)$/i.exec(secret.trim()) ?? [];
  const decoded = /basic/i.test(scheme) ? Buffer.from(token, 'base64').toString('utf8') : '';
  const cookies = /^[\w.-]+=[^;]*(?:;|$)/.test(secret)
    ? secret.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1))
    : [];
  const lines = secret.includes('\n') ? secret.split('\n') : [];
  return [token, decoded.slice(decoded.indexOf(':') + 1), ...cookies, ...lines, ...fieldsOf(secret)]
    .map((part) => part.trim())
    .filter((part) => part.length >= SHORTEST_SECRET && !PUBLIC_LINE.test(part));
}

/** Returns the lines of the secret fields of a JSON object, such as `private_key` of a service account. */
function fieldsOf(secret: string): string[] {
  if (!secret.trimStart().startsWith('{')) return [];
  try {
    const content: unknown = JSON.parse(secret);
    if (!isObject(content)) return [];
    return Object.entries(content).flatMap(([name, value]) =>
      isSecretName(name) && typeof value === 'string' ? [value, ...value.split('\n')] : [],
    );
  } catch {
    return [];
  }
}

/** Returns a secret of several lines as a diff shows it, so that its short lines are found as well. */
function joinedLines(secret: string): string[] {
  const lines = secret.trimEnd().split(/\r?\n/);
  if (lines.length === 1) return [];
  return ['\n', ...LINE_JOINTS].map((joint) => lines.join(joint));
}

/** Returns a text in JSON, in JSON inside JSON (three levels), and in the ASCII JSON of Python and Go. */
function jsonForms(text: string): string[] {
  const forms = [text];
  for (let depth = 0; depth < 3; depth++) {
    forms.push(JSON.stringify(forms.at(-1)).slice(1, -1));
  }
  const ascii = (forms[1] ?? '').replace(/[^ -~]|[<>&]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return [...forms, ascii];
}

function encodedForms(text: string): string[] {
  if (text.length > LONGEST_ENCODED) return [];
  const bytes = Buffer.from(text, 'utf8');
  const url = encodeURIComponent(text);
  const hex = bytes.toString('hex');
  return [
    url,
    url.replace(/%../g, (escaped) => escaped.toLowerCase()),
    url.replaceAll('%20', '+'),
    ...base64Forms(bytes).flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]),
    hex,
    hex.toUpperCase(),
  ];
}

/**
 * Returns the base64 of the bytes alone, in lines, and inside of other bytes. What surrounds the bytes shifts them by
 * none, one or two bytes; characters that also depend on the surrounding bytes are left out.
 */
function base64Forms(bytes: Buffer): string[] {
  const whole = bytes.toString('base64');
  const lines = BASE64_WIDTHS.flatMap((width) => {
    return whole.length > width ? (whole.match(new RegExp(`.{1,${width}}`, 'g')) ?? []) : [];
  });
  const inside = [0, 1, 2].map((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    const sure = Math.floor((shifted.length * 8) / 6);
    return shifted.toString('base64').slice(Math.ceil((shift * 8) / 6), sure);
  });
  return [whole, whole.replace(/=+$/, ''), ...lines, ...inside];
}
