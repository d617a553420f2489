import { dirname, join } from 'node:path';
import { readIfThere } from '../../base/fs/read-if-there.js';

/** Variables that a `.env` file may set in a workspace that is not trusted. */
const ALLOWED_WITHOUT_TRUST: ReadonlySet<string> = new Set([
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_CLOUD_PROJECT',
  'GOOGLE_CLOUD_LOCATION',
]);

export interface DotEnvRequest {
  readonly workingDir: string;
  readonly geminiHome: string;
  readonly isTrusted: boolean;
}

/** Reads the `.env` file that the CLI uses: the nearest one (with trust in `.gemini` first), else that of its home. */
export function readDotEnv(request: DotEnvRequest): Record<string, string> {
  const text = listDotEnvFiles(request)
    .map((folder) => readIfThere(join(folder, '.env')))
    .find((found) => found !== undefined);
  const lines = (text ?? '').matchAll(
    /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(.+?)[ \t]*$/gm,
  );
  const variables = [...lines].map(([, name = '', value = '']) => [name, value] as const);
  return Object.fromEntries(
    variables.filter(([name]) => request.isTrusted || ALLOWED_WITHOUT_TRUST.has(name)),
  );
}

function listDotEnvFiles({ workingDir, geminiHome, isTrusted }: DotEnvRequest): string[] {
  const folders: string[] = [];
  for (let at = workingDir; ; at = dirname(at)) {
    folders.push(...(isTrusted ? [join(at, '.gemini')] : []), at);
    if (dirname(at) === at) break;
  }
  return [...folders, ...(isTrusted ? [geminiHome] : []), dirname(geminiHome)];
}
