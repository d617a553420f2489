import type {
  AgentEvent,
  Expectations,
  GenerateOptions,
  Transport,
  Untyped,
} from 'gemini-cli-provider';
import type { ScriptedAnswer, ScriptedRule } from 'gemini-cli-provider/testing';
import { afterAll, describe, it } from 'vitest';
import { type Lab, makeFolder, openLab } from './support.js';
import { writing } from './tool-calls.js';

/** What the model does at first, and what when it is told to mend it. The name of the story is in the prompt. */
function story(
  name: string,
  first: readonly ScriptedAnswer[],
  mending: readonly ScriptedAnswer[],
): ScriptedRule[] {
  return [
    { prompt: `story ${name}`, turns: first },
    {
      prompt: ({ prompt, body }) => {
        return prompt.includes('was checked') && JSON.stringify(body).includes(`story ${name}`);
      },
      turns: mending,
    },
  ];
}

const STORIES = [
  ...story(
    'mended',
    [writing('a.txt', 'bad'), { text: 'I think {"size": "big"} will do.' }],
    [
      writing('a.txt', 'good'),
      writing('made.txt', 'x'),
      { text: 'Now:\n```json\n{"size": 3}\n```' },
    ],
  ),
  ...story(
    'stubborn',
    [writing('a.txt', 'x'), { text: 'No.' }],
    [writing('b.txt', 'x'), { text: 'Never.' }],
  ),
  ...story(
    'stalling',
    [writing('a.txt', 'x'), { text: 'One.' }],
    [{ text: ['Two'], endless: 'stall' }],
  ),
];
const SIZED = { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] };
const CHECK = `import { readFileSync } from 'node:fs';
const text = readFileSync('a.txt', 'utf8');
if (text !== 'good') { console.error('a.txt is ' + text); process.exit(3); }
`;

const TRANSPORTS = ['headless', 'acp'] as const;
type TellOptions = Untyped<GenerateOptions> & { readonly onEvent?: (event: AgentEvent) => void };

describe.concurrent('what is expected of a step', async () => {
  const open = (transport: Transport) => {
    return openLab(STORIES, { config: { transport }, cleanup: afterAll });
  };
  const labs = { headless: await open('headless'), acp: await open('acp') };

  /** The events of a story, and how it ends. */
  async function tell(
    { provider }: Lab,
    name: string,
    expects: Expectations,
    { onEvent = () => {}, ...options }: TellOptions,
  ) {
    const events: AgentEvent[] = [];
    let error: unknown;
    try {
      for await (const event of provider.stream(`story ${name}`, {}, { expects, ...options })) {
        events.push(event);
        onEvent(event);
      }
    } catch (failure) {
      error = failure;
    }
    const last = events.at(-1);
    return { events, error, result: last?.type === 'turn-complete' ? last.result : undefined };
  }

  it.for(TRANSPORTS)(
    'is mended over %s within the time of the whole step',
    async (transport, { expect, onTestFinished }) => {
      // Enough for two starts of the CLI beside everything else that runs.
      const options = { repair: 1, timeout: 50, workingDir: makeFolder({}, onTestFinished) };
      const { error } = await tell(labs[transport], 'stalling', { files: 'b.txt' }, options);
      expect(error).toMatchObject({
        code: 'TIMEOUT',
        phase: 'total',
        message: 'The step did not finish within 50 s',
        partial: { text: 'One.\n\nTwo', files: [{ path: 'a.txt' }], repairs: 1 },
      });
    },
  );

  it.for(TRANSPORTS)(
    'is mended over %s in the same session, all of it at once',
    async (transport, { expect, onTestFinished }) => {
      const lab = labs[transport];
      const workingDir = makeFolder({ 'check.mjs': CHECK, 'a.txt': 'old' }, onTestFinished);
      const expects = { files: 'made.*', json: SIZED, command: 'node check.mjs' };
      const { events, result } = await tell(lab, 'mended', expects, { repair: 2, workingDir });
      expect(result).toMatchObject({
        text: expect.stringMatching(/will do\.\n\nNow:/),
        data: { size: 3 },
        files: [
          { path: 'a.txt', kind: 'modified', confirmed: true },
          { path: 'made.txt', kind: 'created' },
        ],
        repairs: 1,
        usage: { total: 550, toolCalls: 3 },
        model: 'gemini-2.5-flash',
        transport,
      });
      // From before the first turn to after the last.
      expect(result?.files[0]?.diff).toMatch(/^-old$/m);
      expect(result?.files[0]?.diff).toMatch(/^\+good$/m);
      const count = (type: string) => events.filter((event) => event.type === type).length;
      const counts = ['session-init', 'user-input', 'turn-complete'].map(count);
      expect(counts).toEqual([1, 2, 1]);
      const message = expect.stringContaining('"made.*"; none does');
      const remarks = events.filter(({ type }) => type === 'session-status');
      expect(remarks).toMatchObject([{ status: 'repairing', attempt: 1, message }]);
      const told = lab.model.requests.findLast(({ prompt }) => prompt.includes('node check.mjs'));
      expect(told?.prompt).toContain('"made.*"; none does');
      expect(told?.prompt).toContain('/size: must be integer');
      expect(told?.prompt).toContain('exited with 3');
      expect(told?.prompt).toContain('a.txt is bad');
      expect(JSON.stringify(told?.body)).toContain('I think');
    },
  );

  it.for(TRANSPORTS)(
    'is an error with everything so far, where it is never met over %s',
    async (transport, { expect, onTestFinished }) => {
      const expects = { files: 'c.txt', contains: 'Never.', noChangesOutside: 'a.*' };
      const options = { repair: 1, workingDir: makeFolder({}, onTestFinished) };
      const { events, error } = await tell(labs[transport], 'stubborn', expects, options);
      const expected = {
        code: 'EXPECTATION_FAILED',
        retryable: false,
        exitCode: undefined,
        missing: [
          { kind: 'files', paths: [] },
          { kind: 'noChangesOutside', paths: ['b.txt'] },
        ],
        partial: {
          text: 'No.\n\nNever.',
          files: [{ path: 'a.txt' }, { path: 'b.txt' }],
          usage: { total: 440, toolCalls: 2 },
          repairs: 1,
        },
      };
      expect(error).toMatchObject(expected);
      expect(events.at(-1)).toMatchObject({ subtype: 'EXPECTATION_FAILED', error: expected });
    },
  );

  it.for(TRANSPORTS)(
    'can be given up while it is mended over %s',
    async (transport, { expect, onTestFinished }) => {
      const controller = new AbortController();
      const onEvent = (event: AgentEvent): void => {
        if (event.type === 'text-delta' && event.text === 'Two') controller.abort();
      };
      const workingDir = makeFolder({}, onTestFinished);
      const options = { repair: 1, workingDir, signal: controller.signal, onEvent };
      const { error } = await tell(labs[transport], 'stalling', { files: 'b.txt' }, options);
      expect(error).toMatchObject({
        code: 'CANCELLED',
        missing: [{ kind: 'files' }],
        partial: { text: 'One.\n\nTwo', files: [{ path: 'a.txt' }], repairs: 1 },
      });
    },
  );
});
