import { describe, expect, it } from 'vitest';
import { subagentFile } from '../../../src/sessions/files/session-files.js';

const ID = '9562a0f3-4cd6-416d-b96d-b2a9790395ef';

describe('the file of a sub-agent', () => {
  it('lies in a folder named after the session', () => {
    expect(subagentFile('/g/tmp/app/chats/session-x.jsonl', ID, 'child')).toBe(
      `/g/tmp/app/chats/${ID}/child.jsonl`,
    );
  });
});
