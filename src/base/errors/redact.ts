/** Replaces known secrets and everything that has the shape of a Google credential. */
export interface Redactor {
  text(text: string): string;
  /** A copy of plain data with the same done to every string inside. */
  value<T>(value: T): T;
}

const REPLACEMENT = '[redacted]';

/** API keys, OAuth access and refresh tokens, what follows `Bearer` or `key=`, and passwords in URLs. */
const CREDENTIAL_SHAPES: readonly RegExp[] = [
  /\bAIza[\w-]{30,}/g,
  /\bya29\.[\w.-]{20,}/g,
  /\b1\/\/0[\w-]{20,}/g,
  /(?<=\bBearer\s+)[\w.~+/-]{16,}=*/gi,
  /(?<=[?&]key=)[^&\s"'\\]{8,}/g,
  /(?<=:\/\/[^\s/:@?#"'\\]*:)[^\s/?#"'\\]+(?=@)/g,
];

/** Names of files that hold a secret are none themselves. */
const FILE_NAME = /(_FILE|_PATH|_CREDENTIALS)$/i;
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|PRIVATE/i;
/** A shorter value would blank out ordinary words. */
const SHORTEST_SECRET = 8;

/** The values worth hiding in an environment: by name, unless they are files or too short to tell. */
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

export const noSecrets: Redactor = createRedactor([]);

/** A secret looks different in a URL, in JSON, and again in JSON inside of JSON. */
function writtenForms(secret: string): string[] {
  const arrived = asItArrives(secret);
  return [encodeURIComponent(arrived), ...jsonForms(arrived), ...jsonForms(secret)];
}

/** Half of a surrogate pair becomes U+FFFD on its way to a process, and has no place in a URL at all. */
function asItArrives(text: string): string {
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
