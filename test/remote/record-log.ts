import type { Logger } from '../../src/api/logger.js';

export interface LoggedLine {
  readonly level: keyof Logger;
  readonly fields: object;
  readonly message: string;
}

/** Creates a logger that keeps its lines. */
export function recordLog(): { readonly logger: Logger; readonly lines: readonly LoggedLine[] } {
  const lines: LoggedLine[] = [];
  const note = (level: keyof Logger) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  const logger = {
    debug: note('debug'),
    info: note('info'),
    warn: note('warn'),
    error: note('error'),
  };
  return { logger, lines };
}
