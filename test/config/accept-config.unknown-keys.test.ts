import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Logger } from '../../src/api/logger.js';
import { warnOfUnknownKeys } from '../../src/config/accept-config.js';

/** Records log lines and process warnings. Process warnings are not printed. */
function listen() {
  const logged: unknown[] = [];
  const emitted = vi.spyOn(process, 'emitWarning').mockReturnValue();
  onTestFinished(() => emitted.mockRestore());
  const ignore = () => {};
  const logger: Logger = {
    debug: ignore,
    info: ignore,
    warn: (fields, message) => logged.push([fields, message]),
    error: ignore,
  };
  return { logger, logged, emitted };
}

describe('an unknown configuration key', () => {
  it('causes a log line, or without a logger a process warning, with the most similar known key', () => {
    const { logger, logged, emitted } = listen();
    warnOfUnknownKeys(['aproval_mode'], logger);
    expect(emitted).not.toHaveBeenCalled();
    warnOfUnknownKeys(['aproval_mode'], undefined);
    const message =
      'Unknown configuration key "aproval_mode" is ignored. Did you mean "approvalMode"?';
    expect(logged).toEqual([[{ key: 'aproval_mode', nearest: 'approvalMode' }, message]]);
    expect(emitted.mock.calls).toEqual([
      [message, { type: 'GeminiCliProviderWarning', code: 'GEMINI_CLI_PROVIDER_UNKNOWN_KEY' }],
    ]);
  });

  it('causes a warning without a suggestion if no known key is similar', () => {
    const { emitted } = listen();
    warnOfUnknownKeys(['temperature'], undefined);
    expect(emitted.mock.calls.map(([message]) => message)).toEqual([
      'Unknown configuration key "temperature" is ignored.',
    ]);
  });

  it('gets its own warning if there are several', () => {
    const { logger, logged, emitted } = listen();
    warnOfUnknownKeys(['one', 'two', 'three'], logger);
    warnOfUnknownKeys(['one', 'two', 'three'], undefined);
    expect(logged).toHaveLength(3);
    expect(emitted).toHaveBeenCalledTimes(3);
  });

  it('is required for a warning: known keys cause none', () => {
    const { logger, logged, emitted } = listen();
    warnOfUnknownKeys([], logger);
    expect(logged).toEqual([]);
    expect(emitted).not.toHaveBeenCalled();
  });
});
