import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Logger } from '../../src/api/logger.js';
import { warnOfUnknownKeys } from '../../src/config/accept-config.js';

/** Listens to both ways in which a warning is given, and keeps the second off the screen. */
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
  it('is named with the nearest known one, in the log and as a warning of the process', () => {
    const { logger, logged, emitted } = listen();
    warnOfUnknownKeys(['aproval_mode'], logger);
    const message =
      'Unknown configuration key "aproval_mode" is ignored. Did you mean "approvalMode"?';
    expect(logged).toEqual([[{ key: 'aproval_mode', nearest: 'approvalMode' }, message]]);
    expect(emitted.mock.calls).toEqual([
      [message, { type: 'GeminiCliProviderWarning', code: 'GEMINI_CLI_PROVIDER_UNKNOWN_KEY' }],
    ]);
  });

  it('is named alone where no key is near', () => {
    const { logger, emitted } = listen();
    warnOfUnknownKeys(['temperature'], logger);
    expect(emitted.mock.calls.map(([message]) => message)).toEqual([
      'Unknown configuration key "temperature" is ignored.',
    ]);
  });

  it('gets a warning of its own where there are several', () => {
    const { logger, logged, emitted } = listen();
    warnOfUnknownKeys(['one', 'two', 'three'], logger);
    expect(logged).toHaveLength(3);
    expect(emitted).toHaveBeenCalledTimes(3);
  });

  it('is the only reason for a warning', () => {
    const { logger, logged, emitted } = listen();
    warnOfUnknownKeys([], logger);
    expect(logged).toEqual([]);
    expect(emitted).not.toHaveBeenCalled();
  });
});
