import { describe, expect, it } from 'vitest';
import { keyOfSession, toWireSession } from '../../../src/agents/acp/session-spec.js';

const local = { name: 'a', command: 'serve' };
const remote = { type: 'http', name: 'b', url: 'http://127.0.0.1:1' } as const;

describe('a session', () => {
  it('has the same key as another session with the same folder and the same servers', () => {
    const key = keyOfSession({ cwd: '/w', mcpServers: [local] });
    expect(keyOfSession({ cwd: '/w', mcpServers: [{ ...local }] })).toBe(key);
    expect(keyOfSession({ cwd: '/x', mcpServers: [local] })).not.toBe(key);
    expect(keyOfSession({ cwd: '/w', mcpServers: [] })).not.toBe(key);
    expect(keyOfSession({ cwd: '/w', mcpServers: [{ ...local, args: ['x'] }] })).not.toBe(key);
  });

  it('is requested with all lists that the protocol requires, even if they are empty', () => {
    expect(toWireSession({ cwd: '/w', mcpServers: [] })).toEqual({ cwd: '/w', mcpServers: [] });
    const env = [{ name: 'A', value: '1' }];
    const mcpServers = [local, { ...local, args: ['x'], env }, remote];
    expect(toWireSession({ cwd: '/w', mcpServers })).toEqual({
      cwd: '/w',
      mcpServers: [
        { ...local, args: [], env: [] },
        { ...local, args: ['x'], env },
        { ...remote, headers: [] },
      ],
    });
  });
});
