/** Replaces known secrets and all text that has the shape of a credential. */
export interface Redactor {
  text(text: string): string;
  /** Returns a copy of plain data with every string inside redacted. */
  value<T>(value: T): T;
}

const REPLACEMENT = '[redacted]';

/** API keys, OAuth access and refresh tokens, values after `Bearer` or `key=`, and passwords in URLs. */
const CREDENTIAL_SHAPES: readonly RegExp[] = [
  /\bAIza[\w-]{30,}/g,
  /\bya29\.[\w.-]{20,}/g,
  /\b1\/\/0[\w-]{20,}/g,
  /(?<=\bBearer\s+)[\w.~+/-]{16,}=*/gi,
  /(?<=[?&]key=)[^&\s"'\\]{8,}/g,
  /(?<=:\/\/[^\s/:@?#"'\\]*:)[^\s/?#"'\\]+(?=@)/g,
];

/** Variables that hold the path of a secret file. The path itself is no secret. */
const FILE_NAME = /(_FILE|_PATH|_CREDENTIALS)$/i;
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|PRIVATE/i;
/** Shortest value that is redacted. Removing shorter values would damage ordinary words. */
const SHORTEST_SECRET = 8;

/** Returns the secrets of an environment: values of variables with a secret name, except paths and short values. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined &&
    SECRET_NAME.test(name) &&
    !FILE_NAME.test(name) &&
    value.length >= SHORTEST_SECRET
      ? [value]
      : [],
  );
}

export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = [...new Set(secrets.flatMap(writtenForms))].sort((a, b) => b.length - a.length);
  const text = (input: string): string => {
    let output = input;
    for (const form of forms) output = output.replaceAll(form, REPLACEMENT);
    for (const shape of CREDENTIAL_SHAPES) output = output.replace(shape, REPLACEMENT);
    return output;
  };
  return { text, value: (value) => redactDeep(value, text) };
}

/** Redactor without known secrets: replaces only text that has the shape of a credential. */
export const noSecrets: Redactor = createRedactor([]);

/** Returns all forms in which a secret can appear: plain, in a URL, in JSON, and in JSON inside JSON. */
function writtenForms(secret: string): string[] {
  const received = asReceived(secret);
  return [encodeURIComponent(received), ...jsonForms(received), ...jsonForms(secret)];
}

/** Returns the text as a child process receives it: Node replaces half a surrogate pair by U+FFFD. */
function asReceived(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

function jsonForms(secret: string): string[] {
  const forms = [secret];
  for (let depth = 0; depth < 3; depth++) {
    forms.push(JSON.stringify(forms.at(-1)).slice(1, -1));
  }
  return forms;
}

function redactDeep<T>(value: T, text: (input: string) => string): T {
  const json = JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'string' ? text(inner) : inner,
  );
  return json === undefined ? value : JSON.parse(json);
}
