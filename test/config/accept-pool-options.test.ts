import { describe, expect, it } from 'vitest';
import { AgentPool } from '../../src/agents/acp/agent-pool.js';
import { acceptPoolOptions } from '../../src/config/accept-pool-options.js';

describe('the options of a pool', () => {
  it('are returned if they are valid, empty for null', () => {
    expect(acceptPoolOptions({ maxProcesses: 2, idleShutdown: undefined })).toEqual({
      maxProcesses: 2,
    });
    expect(acceptPoolOptions(null)).toEqual({});
  });

  it('are refused with all problems at once (claim: input-validated)', () => {
    const create = () => acceptPoolOptions({ maxProcesses: 0, idleShutdown: 'long', more: 1 });
    expect(create).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
    expect(create).toThrow(/pool\.maxProcesses.*pool\.idleShutdown.*more/);
    expect(() => Reflect.construct(AgentPool, [5])).toThrow('pool = 5: must be an object');
  });
});
