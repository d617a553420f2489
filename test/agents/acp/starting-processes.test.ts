import { describe, expect, it } from 'vitest';
import { StartingProcesses } from '../../../src/agents/acp/starting-processes.js';

describe('processes that are being started', () => {
  it('count by launch until their start is over, with and without a step', () => {
    const starting = new StartingProcesses();
    const first = starting.begin('a', true);
    const second = starting.begin('a', false);
    starting.begin('b', true);
    expect([starting.count('a'), starting.countSteps('a'), starting.count('b')]).toEqual([2, 1, 1]);
    first();
    first();
    expect([starting.count('a'), starting.countSteps('a')]).toEqual([1, 0]);
    second();
    expect(starting.count('a')).toBe(0);
  });
});
