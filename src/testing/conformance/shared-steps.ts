import type { AgentEvent } from '../../api/agent-event.js';
import type { ResponseProvider } from '../../api/response-provider.js';
import type { GenerateResult } from '../../api/result.js';
import type { ConformanceOptions, ConformanceProvider } from './conformance-subject.js';
import { endsWithin, once, recordStep, type StepRecording } from './record-step.js';

const DEFAULT_END_SECONDS = 20;
/** Context of all steps. Its key is unknown to every provider, so that the result must hand it back. */
export const CONTEXT = { conformance: { list: [1, 'two'] } };

/** A step that was cancelled while it ran. */
export interface CancelledStep extends StepRecording {
  readonly reason: unknown;
}

/** Steps that several checks look at. Each is run when a check first asks for it. */
export interface SharedSteps {
  readonly options: ConformanceOptions;
  readonly endWithin: number;
  readonly main: () => Promise<ConformanceProvider>;
  readonly succeeded: () => Promise<StepRecording>;
  /** A `generate()` and a `stream()` of the same prompt at the same time. */
  readonly pair: () => Promise<{ result: GenerateResult; recording: StepRecording }>;
  readonly failed: () => Promise<StepRecording>;
  readonly cancelled: () => Promise<CancelledStep>;
  /** A step that ran when its provider was disposed of, and that provider. */
  readonly disposed: () => Promise<{ provider: ResponseProvider; recording: StepRecording }>;
  readonly close: () => Promise<void>;
}

/** Creates the steps of one suite. Nothing runs yet. */
export function createSharedSteps(options: ConformanceOptions): SharedSteps {
  const { prompts, endWithin = DEFAULT_END_SECONDS } = options;
  const opened: ConformanceProvider[] = [];
  const open = async () => {
    const one = await options.open();
    opened.push(one);
    return one;
  };
  const main = once(open);
  const stream = async (prompt: string) => (await main()).provider.stream(prompt, CONTEXT);
  return {
    options,
    endWithin,
    main,
    succeeded: once(async () => recordStep(await stream(prompts.succeed))),
    pair: once(async () => {
      const { provider } = await main();
      const [result, recording] = await Promise.all([
        provider.generate(prompts.succeed, CONTEXT),
        recordStep(provider.stream(prompts.succeed, CONTEXT)),
      ]);
      return { result, recording };
    }),
    failed: once(async () => recordStep(await stream(prompts.fail))),
    cancelled: once(async () => {
      const { provider } = await main();
      const cancel = new AbortController();
      const reason = new Error('The check has cancelled the step');
      const events = provider.stream(prompts.wait, CONTEXT, { signal: cancel.signal });
      const step = recordStep(afterFirst(events, () => cancel.abort(reason)));
      return { ...(await endsWithin(endWithin, 'The aborted step', step)), reason };
    }),
    disposed: once(async () => {
      const { provider } = await open();
      let disposal = Promise.resolve();
      const events = afterFirst(provider.stream(prompts.wait, CONTEXT), () => {
        disposal = provider.dispose();
      });
      const step = recordStep(events);
      const recording = await endsWithin(endWithin, 'A step of the disposed provider', step);
      await endsWithin(endWithin, 'dispose()', disposal);
      return { provider, recording };
    }),
    close: async () => {
      for (const { provider, close } of opened.splice(0)) {
        await provider.dispose();
        await close?.();
      }
    },
  };
}

/** Yields all events, and acts once after the first of them, when the step is at work. */
async function* afterFirst(events: AsyncIterable<AgentEvent>, act: () => void) {
  let hasActed = false;
  for await (const event of events) {
    yield event;
    if (hasActed) continue;
    hasActed = true;
    act();
  }
}
