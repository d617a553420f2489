import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseHook } from '../../../src/remote/hooks/parse-hook.js';

const HOOKS = new URL('../../fixtures/interactive/hooks/', import.meta.url);
const KNOWN = [
  'SessionStart',
  'SessionEnd',
  'BeforeAgent',
  'AfterAgent',
  'BeforeTool',
  'AfterTool',
  'Notification',
];
const files = readdirSync(HOOKS).filter((name) => name.endsWith('.json'));

describe('parseHook', () => {
  it.each(files)('reads the recorded payload %s', (name) => {
    const value = JSON.parse(readFileSync(new URL(name, HOOKS), 'utf8'));
    const isKnown = KNOWN.includes(name.split('.')[0] ?? '');
    expect(parseHook(value)?.hook_event_name).toBe(isKnown ? value.hook_event_name : undefined);
  });

  it.each([
    null,
    5,
    'x',
    [],
    {},
    { hook_event_name: 'BeforeTool' },
    { hook_event_name: 'Other', session_id: 's', cwd: '/' },
  ])('refuses %j', (value) => {
    expect(parseHook(value)).toBeUndefined();
  });
});
