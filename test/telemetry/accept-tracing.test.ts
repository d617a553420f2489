import { describe, expect, it } from 'vitest';
import { acceptTracingOptions, assertTraceable } from '../../src/telemetry/accept-tracing.js';
import { REVOKED, TRAP } from '../fixtures/hostile-values.js';

const INVALID = expect.objectContaining({ code: 'INVALID_INPUT' });

describe('a provider', () => {
  it('must have the method stream', () => {
    for (const value of [undefined, null, 5, 'x', {}, { stream: 1 }, [], REVOKED, TRAP])
      expect(() => assertTraceable(value)).toThrow(INVALID);
  });

  it('is taken as it is', () => {
    expect(() => assertTraceable({ stream: () => {} })).not.toThrow();
  });
});

describe('options', () => {
  it('are refused with the reason', () => {
    const cases: readonly (readonly [unknown, string])[] = [
      [null, 'options must be an object'],
      [[], 'options must be an object'],
      [{ recordContent: 'yes' }, 'options.recordContent must be true or false, not "yes"'],
      [{ cliTelemetry: 'on' }, 'options.cliTelemetry must be "off" or "correlate"'],
      [{ tracerProvider: {} }, 'options.tracerProvider must be a TracerProvider'],
      [{ meterProvider: REVOKED }, 'options cannot be read'],
      [{ attributes: 5 }, 'options.attributes must be an object'],
      [{ providerName: '' }, 'options.providerName must be a text that is not empty'],
      [{ traceparent: 5 }, 'options.traceparent must be a text'],
      [{ content: true }, 'a key of options must be one of tracerProvider, '],
      [TRAP, 'options cannot be read'],
    ];
    for (const [options, message] of cases) {
      expect(() => acceptTracingOptions(options)).toThrow(INVALID);
      expect(() => acceptTracingOptions(options)).toThrow(message);
    }
  });

  it('are copied', () => {
    const options = { recordContent: true, traceparent: 'from a variable', attributes: {} };
    expect(acceptTracingOptions(options)).toEqual(options);
    expect(acceptTracingOptions({ meterProvider: undefined })).toEqual({});
  });
});
