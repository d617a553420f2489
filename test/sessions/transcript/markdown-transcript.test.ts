import { describe, expect, it } from 'vitest';
import type { SessionMessage } from '../../../src/api/session.js';
import { toUnifiedMessages } from '../../../src/sessions/messages/to-unified-messages.js';
import { toMarkdown } from '../../../src/sessions/transcript/markdown-transcript.js';

function render(...messages: SessionMessage[]): string {
  return toMarkdown({ sessionId: 's1', startTime: 't' }, toUnifiedMessages(messages));
}

describe('a session as Markdown', () => {
  it('has a title, and a heading for each message', () => {
    const text = render(
      { id: '1', type: 'user', content: 'Do it' },
      { id: '2', type: 'gemini', content: 'Done', thoughts: [{ description: 'a\nb' }] },
      { id: '3', type: 'error', content: 'Quota' },
    );
    expect(text).toBe(
      [
        '# Session s1',
        'session `s1` · started t · 3 messages',
        '## User',
        'Do it',
        '## Gemini',
        '> a\n> b',
        'Done',
        '## error',
        'Quota\n',
      ].join('\n\n'),
    );
  });

  it('is named after its summary', () => {
    expect(toMarkdown({ sessionId: 's', summary: 'Greeting' }, [])).toMatch(/^# Greeting\n/);
    expect(toMarkdown(undefined, [])).toMatch(/^# Session without a name\n/);
  });

  it('keeps backticks inside code', () => {
    const call = {
      id: 'c',
      name: 'write_file',
      args: { file_path: 'a`b.md' },
      status: 'success',
      resultDisplay: { fileDiff: '+````\n+x', diffStat: { model_added_lines: 2 } },
    };
    const text = render({ id: '1', type: 'gemini', content: '', toolCalls: [call] });
    expect(text).toContain('- ✓ **Write** ``a`b.md`` (+2 −0)');
    expect(text).toContain('`````diff\n+````\n+x\n`````');
  });
});
