import { isSecretName } from '../base/errors/secret-names.js';

const FLAG = /^(--?[\w-]+)(=[\s\S]*)?$/;
const HIDDEN = '(hidden)';

/** Returns arguments for the log: without the values of flags such as `--api-key`, whatever the values look like. */
export function hideSecretFlags(args: readonly string[]): string[] {
  let isSecret = false;
  return args.map((arg) => {
    const [, name, value] = FLAG.exec(arg) ?? [];
    const isValue = isSecret && name === undefined;
    isSecret = name !== undefined && value === undefined && isSecretName(name);
    if (isValue) return HIDDEN;
    return name !== undefined && value !== undefined && isSecretName(name)
      ? `${name}=${HIDDEN}`
      : arg;
  });
}
