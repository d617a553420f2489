import type { Logger } from '../api/logger.js';
import type { Redactor } from '../base/errors/redact.js';
import { escapeControls } from '../base/text/safe-json.js';

const ignore = (): void => {};

export const silentLogger: Logger = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
};

/** Creates a logger that writes JSON lines to stderr, so that stdout has the results alone. */
export async function createStderrLogger(level: 'debug' | 'info' | 'warn'): Promise<Logger> {
  const { pino } = await import('pino');
  const stderr = pino.destination({ dest: 2, sync: true });
  const write = (line: string): void => {
    stderr.write(escapeControls(line));
  };
  const logger: Logger = pino({ level, base: null }, { write });
  return logger;
}

/** Wraps a logger: removes the secrets of one step from all fields and messages, and adds `bindings` to each line. */
export function createRedactingLogger(
  logger: Logger,
  redactor: Redactor,
  bindings: object = {},
): Logger {
  if (logger === silentLogger) return silentLogger;
  const pass = (level: keyof Logger) => (fields: object, message: string) => {
    logger[level]({ ...bindings, ...redactor.value(fields) }, redactor.text(message));
  };
  return { debug: pass('debug'), info: pass('info'), warn: pass('warn'), error: pass('error') };
}
