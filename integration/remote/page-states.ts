import type { RemoteEntryContent } from '../../src/api/remote-entry.js';
import type { RemoteRequest } from '../../src/api/remote-request.js';
import type { RemoteCapabilities } from '../../src/api/remote-session.js';
import { sessionOf } from '../../test/remote/session/session-of.js';
import { ScriptedControl } from './scripted-control.js';

/** A session of a device can do everything but change its side. */
const ALL_CAPABILITIES: RemoteCapabilities = {
  ...{ prompt: true, allow: true, deny: true, interrupt: true, mode: true, model: true },
  ...{ liveText: true, end: true, takeOver: false, handBack: true },
};

const DIFF = `--- a/src/greeting.ts
+++ b/src/greeting.ts
@@ -1,4 +1,5 @@ export function greet
 export function greet(name: string): string {
-  return 'Hello ' + name;
+  // A very long line that is wider than the screen of a phone: it must be wrapped, and must not push the page to the side.
+  return \`Hello \${name}\`;
 }
`;

const MARKDOWN = `## What I did

I changed \`greet\` in **src/greeting.ts**. See [the manual](https://example.com/manual).

1. Read the file
2. Changed it
   - and tested it

> A remark about ${'averylongwordwithoutanybreak'.repeat(5)}

| name | value | what it is for |
|---|---|---|
| one | 1 | ${'a long cell '.repeat(8)} |

\`\`\`ts
const answer = greet('a long line of code that does not fit on the screen of a small phone at all');
\`\`\`
`;

export function requestOf(id: string, changes: Partial<RemoteRequest> = {}): RemoteEntryContent {
  const request: RemoteRequest = {
    ...{ id, sessionId: 'rich', kind: 'tool', toolName: 'run_shell_command', title: 'npm test' },
    ...{ input: { command: 'npm test' }, command: 'npm test', inputHash: 'hash', questions: [] },
    ...{ options: [], isDenyOnly: false, reasonWay: 'refusal', rule: 'npm test …' },
    ...{ createdAt: new Date().toISOString(), ...changes },
  };
  return { type: 'request', request };
}

const messageOf = (
  messageId: string,
  role: 'user' | 'assistant' | 'system',
  text: string,
  thought?: string,
): RemoteEntryContent => ({
  ...{ type: 'message', messageId, role },
  blocks: [
    ...(thought === undefined ? [] : [{ type: 'thought' as const, text: thought }]),
    { type: 'text', text },
  ],
});

/** Everything that a conversation can show, in the order of a session. */
const ENTRIES: readonly RemoteEntryContent[] = [
  messageOf('m1', 'user', 'Please change the greeting.'),
  messageOf('m2', 'assistant', MARKDOWN, 'I should **read** the file first.'),
  {
    ...{ type: 'tool', callId: 't1', name: 'replace', title: 'src/greeting.ts' },
    ...{ status: 'succeeded', input: { file_path: 'src/greeting.ts' }, diff: DIFF },
  },
  {
    ...{
      type: 'tool',
      callId: 't2',
      name: 'run_shell_command',
      title: 'npm run a:very:long:name -- --with=options',
    },
    ...{
      status: 'failed',
      input: { command: 'npm run x' },
      output: 'Error: it failed\n  at line 1',
    },
  },
  { ...requestOf('done') },
  {
    ...{ type: 'decision', requestId: 'done', outcome: 'decided', by: 'tablet' },
    decision: { type: 'deny', reason: 'not today' },
  },
  {
    ...messageOf('m3', 'user', 'A turn that was refused.'),
    isForgotten: true,
  } as RemoteEntryContent,
  { type: 'notice', level: 'info', message: 'The session was taken over.' },
  { type: 'notice', level: 'warning', message: 'The model was busy: the CLI tries again.' },
  { type: 'notice', level: 'error', message: 'The API has refused the request (HTTP 400).' },
  {
    ...{ type: 'prompt', promptId: 'p-lost', text: 'A prompt that was lost', by: 'phone' },
    ...{ status: 'not-delivered', detail: 'a person at the desk was typing' },
  },
  requestOf('edit', {
    ...{ toolName: 'replace', title: 'src/greeting.ts', command: undefined, diff: DIFF },
    ...{ input: { file_path: 'src/greeting.ts' }, rule: 'replace' },
  }),
  requestOf('shell', {
    ...{ command: `git commit -m "${'a long message '.repeat(10)}"`, rule: undefined, isCut: true },
    ...{ input: { command: 'git commit', directory: '/home/person/work' }, reasonWay: 'new-turn' },
  }),
  requestOf('deny-only', { isDenyOnly: true }),
  requestOf('question', {
    ...{
      kind: 'question',
      toolName: 'ask_user',
      title: 'Two questions',
      command: undefined,
      input: {},
    },
    questions: [
      {
        ...{ id: '0', text: 'Which colours do you want?', isMultiple: true },
        options: [
          { id: 'Red', label: 'Red' },
          { id: 'Blue', label: 'Blue, with a description that is longer than one line on a phone' },
        ],
      },
      { id: '1', text: 'What is its name?', isMultiple: false, options: [] },
    ],
  }),
  requestOf('dialog', {
    ...{ kind: 'dialog', toolName: '', title: 'Select Model', command: undefined, input: {} },
    text: '╭──────────────────────────────╮\n│ Select Model                 │\n│ ● 1. Auto                    │\n│   2. Manual                  │\n╰──────────────────────────────╯',
    options: [
      { id: '1', label: 'Auto' },
      { id: '2', label: 'Manual (gemini-2.5-pro, and others that are named in the list)' },
    ],
  }),
  { type: 'prompt', promptId: 'p-wait', text: 'And then the tests', status: 'queued', by: 'phone' },
];

/** Text that wants to be markup, to hide its end, or to push the page to the side. */
const HOSTILE = `\u202Etxt.exe \u001b[31m<img src=x onerror=alert(1)>${'A'.repeat(300)}`;
const HOSTILE_MARKDOWN = `# ${HOSTILE}

![x](http://evil.example/x.png) [click](javascript:alert(1)) <script>alert(1)</script>

| ${HOSTILE} |
|---|
| ${HOSTILE} |

${'> '.repeat(30)}deep quote

${'- '.repeat(20)}deep list
`;

/** Sessions in every state, one of them with everything that a conversation can show. */
export function openPageStates(): ScriptedControl {
  const control = new ScriptedControl();
  const now = new Date().toISOString();
  const shared = {
    model: 'gemini-2.5-pro',
    mode: 'default',
    tokens: 123_456,
    costUsd: 0.1234,
  } as const;
  const put = (id: string, changes: Parameters<typeof sessionOf>[0]): void =>
    control.put(
      sessionOf({ id, folder: '/home/person/work/a-project', updatedAt: now, ...changes }),
    );
  put('rich', {
    ...shared,
    ...{ title: 'Please change the greeting', state: 'needs-you', openRequests: 5 },
    ...{ capabilities: ALL_CAPABILITIES, modes: ['default', 'auto_edit', 'plan'] },
    notes: ['The version of the CLI is not one that was tested.'],
  });
  put('desk', { ...shared, driver: 'tmux', state: 'working', title: 'At work at the desk' });
  put('watch', {
    ...{
      driver: 'watch',
      title: 'In another terminal',
      folder: `/home/person/${'deep/'.repeat(20)}`,
    },
    notes: ['This session runs outside of tmux: calls can be denied, and nothing else.'],
  });
  put('batch', { driver: 'engine', state: 'starting', title: 'A batch' });
  put('new', { driver: 'acp', capabilities: ALL_CAPABILITIES });
  const takeOver = { ...sessionOf().capabilities, takeOver: true };
  for (let number = 0; number < 60; number++)
    put(`past-${number}`, {
      ...{ driver: 'past', state: 'ended', title: `Session ${number} of the past` },
      ...{
        capabilities: takeOver,
        cliSessionId: `cli-${number}`,
        updatedAt: '2026-01-01T00:00:00.000Z',
      },
    });
  put('hostile', {
    ...{ title: HOSTILE, folder: `/tmp/${HOSTILE}`, model: HOSTILE, notes: [HOSTILE] },
    ...{ state: 'needs-you', openRequests: 1, updatedAt: '2026-01-01T00:00:00.000Z' },
  });
  const call = { name: HOSTILE, title: HOSTILE, input: { [HOSTILE]: HOSTILE }, output: HOSTILE };
  control.add('hostile', messageOf('h1', 'assistant', HOSTILE_MARKDOWN, HOSTILE));
  control.add('hostile', { type: 'tool', callId: 'h2', status: 'running', ...call });
  control.add('hostile', { type: 'notice', level: 'error', message: HOSTILE });
  control.add(
    'hostile',
    requestOf('h3', { toolName: HOSTILE, title: HOSTILE, command: HOSTILE, rule: HOSTILE }),
  );
  for (const content of ENTRIES) control.add('rich', content);
  for (let number = 0; number < 14; number++)
    control.given.push({
      ...{ id: `rule-${number}`, sessionId: 'rich', toolName: 'run_shell_command', by: 'phone' },
      ...{ commandPrefix: `npm run task-${number}`, createdAt: now },
    });
  return control;
}
