import type { AgentEvent } from '../../api/agent-event.js';
import { cleanName } from '../../base/text/clean-text.js';
import type { WorkerInfo } from '../../queue/job-info.js';
import type { JobFinishedEvent, StepWorkerEvent } from '../../queue/worker/step-worker-event.js';
import { formatSeconds, formatThousands } from '../output/format-numbers.js';

type Outcome = JobFinishedEvent['outcome'];

const OUTCOMES: readonly Outcome[] = ['succeeded', 'failed', 'lost', 'returned'];
/** Upper bounds of the histograms, in seconds. */
const BOUNDS = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800];
const KINDS = ['input', 'output', 'cached'] as const;
const PREFIX = 'gemini_cli_provider_worker';

/** Counts of a histogram: how many values are at most as great as each bound. */
class Histogram {
  readonly #counts = BOUNDS.map(() => 0);
  #sum = 0;
  #count = 0;

  add(seconds: number): void {
    this.#sum += seconds;
    this.#count++;
    BOUNDS.forEach((bound, index) => {
      if (seconds <= bound) this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    });
  }

  render(name: string, help: string): string[] {
    return [
      ...head(name, 'histogram', help),
      ...BOUNDS.map((bound, index) => `${name}_bucket{le="${bound}"} ${this.#counts[index]}`),
      `${name}_bucket{le="+Inf"} ${this.#count}`,
      `${name}_sum ${this.#sum}`,
      `${name}_count ${this.#count}`,
    ];
  }
}

/** Numbers of one worker since its start, for its view, its health endpoint and Prometheus. */
export class WorkerMetrics {
  readonly #outcomes = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]));
  readonly #codes = new Map<string, number>();
  readonly #durations = new Histogram();
  readonly #waits = new Histogram();
  readonly #tokens = { input: 0, output: 0, cached: 0 };
  readonly #startedMs: number;
  #reconnects = 0;
  #isConnected = false;
  #pausedUntilMs = 0;
  #tokenSum = 0;
  #handedBack = 0;
  /** Describes the worker. Undefined until the worker is there. */
  stats: (() => WorkerInfo) | undefined;

  constructor(nowMs: number = Date.now()) {
    this.#startedMs = nowMs;
  }

  accept(event: StepWorkerEvent): void {
    if (event.type === 'ready') this.#isConnected = true;
    if (event.type === 'job-started') this.#waits.add(event.waitMs / 1_000);
    if (event.type === 'queue-paused') this.#pausedUntilMs = Date.parse(event.until);
    if (event.type === 'store-connection') {
      if (event.isConnected && !this.#isConnected) this.#reconnects++;
      this.#isConnected = event.isConnected;
    }
    if (event.type !== 'job-finished') return;
    this.#outcomes.set(event.outcome, (this.#outcomes.get(event.outcome) ?? 0) + 1);
    this.#durations.add(event.durationMs / 1_000);
    const { code, outcome } = event;
    if (outcome === 'returned' && code === undefined) this.#handedBack++;
    if (code !== undefined) this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1);
  }

  /** Counts the tokens of a step at its last event. */
  countTokens(event: AgentEvent): void {
    if (event.type !== 'turn-complete' || event.usage === undefined) return;
    for (const kind of KINDS) this.#tokens[kind] += event.usage[kind];
    this.#tokenSum += event.usage.total;
  }

  /** Returns why the worker takes no steps now; undefined if it takes some. */
  whyNotReady(): string | undefined {
    const info = this.stats?.();
    if (info === undefined) return 'The worker is starting';
    if (!this.#isConnected) return 'The store is not reachable';
    if (info.state === 'ready') return undefined;
    return info.reason ?? (info.state === 'draining' ? 'The worker is draining' : info.state);
  }

  /** Describes the worker in facts, the most important ones first. */
  describe(nowMs: number): string[] {
    const info = this.stats?.();
    const pauseMs = this.#pausedUntilMs - nowMs;
    const count = (outcome: Outcome): number => this.#outcomes.get(outcome) ?? 0;
    const why = this.whyNotReady();
    return [
      cleanName(info?.name ?? 'worker'),
      ...(why === undefined ? [] : [cleanName(why)]),
      `${info?.running ?? 0}/${info?.concurrency ?? 0} running`,
      `${count('succeeded')} succeeded`,
      ...(count('failed') > 0 ? [`${count('failed')} failed`] : []),
      ...(pauseMs > 0 ? [`queue paused, ${formatSeconds(pauseMs)}`] : []),
      ...(count('lost') > 0 ? [`${count('lost')} lost`] : []),
      ...(count('returned') > 0 ? [`${count('returned')} handed back`] : []),
      `${formatThousands(this.#tokenSum)} tokens`,
      `up ${formatSeconds(nowMs - this.#startedMs)}`,
    ];
  }

  /** Number of steps that went back to the queue because the worker has ended, and not after an error such as a rate limit. */
  get handedBack(): number {
    return this.#handedBack;
  }

  /** Renders the text format of Prometheus. `waiting` is the number of jobs in the queue, if the store tells. */
  render(waiting: number | undefined): string {
    const info = this.stats?.();
    const gauge = (name: string, help: string, value: number): string[] => [
      ...head(`${PREFIX}_${name}`, 'gauge', help),
      `${PREFIX}_${name} ${value}`,
    ];
    const lines = [
      ...head(`${PREFIX}_build_info`, 'gauge', 'Version and name of the worker.'),
      `${PREFIX}_build_info{version="${escapeLabel(info?.version ?? '')}",node="${process.version}",protocol="${escapeLabel(info?.protocol ?? '')}",worker="${escapeLabel(info?.name ?? '')}"} 1`,
      ...head(`${PREFIX}_steps_total`, 'counter', 'Attempts of steps by how they ended.'),
      ...OUTCOMES.map((one) => {
        return `${PREFIX}_steps_total{outcome="${one}"} ${this.#outcomes.get(one)}`;
      }),
      ...head(`${PREFIX}_errors_total`, 'counter', 'Failed attempts by error code.'),
      ...[...this.#codes].map(([code, count]) => {
        return `${PREFIX}_errors_total{code="${escapeLabel(code)}"} ${count}`;
      }),
      ...gauge('running', 'Steps that run now.', info?.running ?? 0),
      ...gauge('concurrency', 'Steps that may run at the same time.', info?.concurrency ?? 0),
      ...(waiting === undefined ? [] : gauge('waiting', 'Jobs that wait in the queue.', waiting)),
      ...gauge('ready', '1 if the worker takes steps.', this.whyNotReady() === undefined ? 1 : 0),
      ...gauge('store_connected', '1 if the store answers.', this.#isConnected ? 1 : 0),
      ...head(`${PREFIX}_reconnects_total`, 'counter', 'Times that the store came back.'),
      `${PREFIX}_reconnects_total ${this.#reconnects}`,
      ...head(`${PREFIX}_tokens_total`, 'counter', 'Tokens of the steps by kind.'),
      ...KINDS.map((kind) => `${PREFIX}_tokens_total{kind="${kind}"} ${this.#tokens[kind]}`),
      ...this.#durations.render(`${PREFIX}_step_seconds`, 'Duration of attempts.'),
      ...this.#waits.render(`${PREFIX}_queue_seconds`, 'Time in the queue before an attempt.'),
      ...gauge(
        'start_time_seconds',
        'Start of the worker, seconds since 1970.',
        this.#startedMs / 1_000,
      ),
    ];
    return `${lines.join('\n')}\n`;
  }
}

function head(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function escapeLabel(value: string): string {
  return value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
}
