import { pino } from 'pino';
import type { Logger } from '../api/logger.js';
import type { Redactor } from '../base/errors/redact.js';

export const silentLogger: Logger = pino({ level: 'silent' });

/** Logs as JSON lines to stderr, so that stdout stays free for results. */
export function createStderrLogger(level: 'debug' | 'info' | 'warn'): Logger {
  return pino({ level, base: null }, pino.destination({ dest: 2, sync: true }));
}

/** The same logger with the secrets of one run taken out of everything it is given. */
export function createRedactingLogger(logger: Logger, redactor: Redactor): Logger {
  const pass = (level: keyof Logger) => (fields: object, message: string) => {
    logger[level](redactor.value(fields), redactor.text(message));
  };
  return { debug: pass('debug'), info: pass('info'), warn: pass('warn'), error: pass('error') };
}
