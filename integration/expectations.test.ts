import type { AgentEvent, Expectations, GenerateOptions, Transport } from 'gemini-cli-provider';
import type { ScriptedAnswer, ScriptedRule } from 'gemini-cli-provider/testing';
import { afterAll, describe, it } from 'vitest';
import { type Lab, makeFolder, openLab } from './support.js';
import { writing } from './tool-calls.js';

/** Creates the answers of the model to the first prompt and to the repair prompt. The prompt contains the name of the story. */
function story(
  name: string,
  first: readonly ScriptedAnswer[],
  repairing: readonly ScriptedAnswer[],
): ScriptedRule[] {
  return [
    { prompt: `story ${name}`, turns: first },
    {
      prompt: ({ prompt, body }) => {
        return prompt.includes('was checked') && JSON.stringify(body).includes(`story ${name}`);
      },
      turns: repairing,
    },
  ];
}

const STORIES = [
  ...story(
    'repaired',
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
type StoryOptions = GenerateOptions & { readonly onEvent?: (event: AgentEvent) => void };

describe.concurrent('the expectations of a step', async () => {
  const open = (transport: Transport) => {
    return openLab(STORIES, { config: { transport }, cleanup: afterAll });
  };
  const labs = { headless: await open('headless'), acp: await open('acp') };

  /** Runs a story. Returns its events and its result or error. */
  async function runStory(
    { provider }: Lab,
    name: string,
    expects: Expectations,
    { onEvent = () => {}, ...options }: StoryOptions,
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
    'are repaired over %s within the timeout of the whole step',
    async (transport, { expect, onTestFinished }) => {
      // The timeout covers two starts of the CLI on a busy machine.
      const options = { repair: 1, timeout: 50, workingDir: makeFolder({}, onTestFinished) };
      const { error } = await runStory(labs[transport], 'stalling', { files: 'b.txt' }, options);
      expect(error).toMatchObject({
        code: 'TIMEOUT',
        phase: 'total',
        message: 'The step did not finish within 50 s',
        partial: { text: 'One.\n\nTwo', files: [{ path: 'a.txt' }], repairs: 1 },
      });
    },
  );

  it.for(TRANSPORTS)(
    'are repaired over %s in the same session, all in one turn',
    async (transport, { expect, onTestFinished }) => {
      const lab = labs[transport];
      const workingDir = makeFolder({ 'check.mjs': CHECK, 'a.txt': 'old' }, onTestFinished);
      const expects = { files: 'made.*', json: SIZED, command: 'node check.mjs' };
      const { events, result } = await runStory(lab, 'repaired', expects, {
        repair: 2,
        workingDir,
      });
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
      // The diff spans all turns: from before the first to after the last.
      expect(result?.files[0]?.diff).toMatch(/^-old$/m);
      expect(result?.files[0]?.diff).toMatch(/^\+good$/m);
      const count = (type: string) => events.filter((event) => event.type === type).length;
      const counts = ['session-init', 'user-input', 'turn-complete'].map(count);
      expect(counts).toEqual([1, 2, 1]);
      const message = expect.stringContaining('"made.*"; none does');
      const statuses = events.filter(({ type }) => type === 'session-status');
      expect(statuses).toMatchObject([{ status: 'repairing', attempt: 1, message }]);
      const repairRequest = lab.model.requests.findLast(({ prompt }) =>
        prompt.includes('node check.mjs'),
      );
      expect(repairRequest?.prompt).toContain('"made.*"; none does');
      expect(repairRequest?.prompt).toContain('/size: must be integer');
      expect(repairRequest?.prompt).toContain('exited with 3');
      expect(repairRequest?.prompt).toContain('a.txt is bad');
      expect(JSON.stringify(repairRequest?.body)).toContain('I think');
    },
  );

  it.for(TRANSPORTS)(
    'that stay unmet over %s are an error with everything so far in partial',
    async (transport, { expect, onTestFinished }) => {
      const expects = { files: 'c.txt', contains: 'Never.', noChangesOutside: 'a.*' };
      const options = { repair: 1, workingDir: makeFolder({}, onTestFinished) };
      const { events, error } = await runStory(labs[transport], 'stubborn', expects, options);
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
    'allow a cancel during a repair over %s',
    async (transport, { expect, onTestFinished }) => {
      const controller = new AbortController();
      const onEvent = (event: AgentEvent): void => {
        if (event.type === 'text-delta' && event.text === 'Two') controller.abort();
      };
      const workingDir = makeFolder({}, onTestFinished);
      const options = { repair: 1, workingDir, signal: controller.signal, onEvent };
      const { error } = await runStory(labs[transport], 'stalling', { files: 'b.txt' }, options);
      expect(error).toMatchObject({
        code: 'CANCELLED',
        missing: [{ kind: 'files' }],
        partial: { text: 'One.\n\nTwo', files: [{ path: 'a.txt' }], repairs: 1 },
      });
    },
  );
});
