import { describe, expect, it } from 'vitest';
import type { JobReport } from '../../../../../src/api/job-report.js';
import type { AttemptReport } from '../../../../../src/api/step-report.js';
import { createTimeline } from '../../../../../src/batch/report/page/model/timeline.js';
import { layOutTimeline } from '../../../../../src/batch/report/page/model/timeline-layout.js';
import { totalWorkers } from '../../../../../src/batch/report/page/model/worker-totals.js';
import { drawQueue } from '../../../../../src/batch/report/page/view/timeline-shapes.js';
import { anAttempt, aReport, aStep, at } from '../../report-builder.js';

function jobOf(worker: string, more: Partial<JobReport> = {}): JobReport {
  return { jobId: `job-${worker}`, worker, host: 'h', attempt: 1, waitMs: 0, lost: [], ...more };
}

function timelineOf(attempts: Readonly<Record<string, AttemptReport>>) {
  const steps = Object.entries(attempts).map(([id, one]) => aStep(id, { attempts: [one] }));
  const runs = [{ startedAt: at(0), endedAt: at(100) }];
  return createTimeline(aReport(steps, { endedAt: at(100), runs }));
}

const idsOf = ({ lanes }: ReturnType<typeof timelineOf>) =>
  lanes.map((lane) => lane.map(({ step }) => step.id));

describe('lanes by worker', () => {
  it('has the rows of each worker together, in the order of their names', () => {
    const timeline = timelineOf({
      a: anAttempt(0, 50, { lane: 0, job: jobOf('w10') }),
      b: anAttempt(0, 30, { lane: 1, job: jobOf('w2') }),
      c: anAttempt(10, 60, { lane: 2, job: jobOf('w2') }),
      d: anAttempt(30, 90, { lane: 1, job: jobOf('w2') }),
    });
    expect(timeline.laneNames).toEqual(['w2', '', 'w10']);
    expect(idsOf(timeline)).toEqual([['b', 'd'], ['c'], ['a']]);
  });

  it('has the work in the lane of the worker, and the wait in the lane of the queue', () => {
    const timeline = timelineOf({
      first: anAttempt(0, 40, { job: jobOf('w') }),
      second: anAttempt(0, 80, { lane: 1, waitedMs: 40_000, job: jobOf('w') }),
    });
    expect(timeline.laneNames).toEqual(['w', 'queue']);
    expect(idsOf(timeline)).toEqual([['first', 'second'], []]);
    const [start] = [Date.parse(at(0))];
    expect(timeline.queueWaits).toEqual([{ startMs: start, endMs: start + 40_000 }]);
    const layout = layOutTimeline(timeline, 200);
    expect(layout.lanes[0]?.map(({ x, width }) => [x, width])).toEqual([
      [0, 80],
      [80, 80],
    ]);
    expect(layout.queue?.most).toBe(1);
    expect(layout.queue?.counts.filter((count) => count === 1)).toHaveLength(41);
    // The lane of the queue is the last one: its column ends at the bottom of the picture.
    expect(drawQueue(layout)).toBe(`M0 ${layout.height - 3}V${layout.height - 23}H82V49Z`);
  });

  it('an attempt that no worker has taken waits until now, in a lane of its own', () => {
    const timeline = timelineOf({
      taken: anAttempt(0, 40, { job: jobOf('w') }),
      open: anAttempt(20, undefined, { lane: 1, outcome: 'running' }),
    });
    expect(timeline.laneNames).toEqual(['w', 'no worker', 'queue']);
    expect(timeline.queueWaits.map(({ endMs }) => endMs)).toEqual([Date.parse(at(100))]);
  });

  it('names the host where two hosts have a worker of the same name', () => {
    const { laneNames } = timelineOf({
      a: anAttempt(0, 10, { job: jobOf('w', { host: 'one' }) }),
      b: anAttempt(0, 10, { job: jobOf('w', { host: 'two' }) }),
    });
    expect(laneNames).toEqual(['w (one)', 'w (two)']);
  });

  it('gives a worker at most 32 rows', () => {
    const many = Array.from({ length: 50 }, (_, index) => {
      return [`s${index}`, anAttempt(0, 50, { lane: index, job: jobOf('w') })] as const;
    });
    expect(timelineOf(Object.fromEntries(many)).lanes).toHaveLength(32);
  });

  it('a batch without a queue has lanes with numbers', () => {
    const { laneNames, queueWaits } = timelineOf({
      a: anAttempt(0, 10, { lane: 2, waitedMs: 5_000 }),
    });
    expect({ laneNames, queueWaits }).toEqual({ laneNames: ['3'], queueWaits: [] });
  });
});

it('totalWorkers sums up attempts, work and waits, and lists attempts that were lost with a worker', () => {
  const lost = [{ attempt: 1, worker: 'w1', host: 'h' }];
  const steps = [
    aStep('a', { attempts: [anAttempt(0, 10, { waitedMs: 4_000, job: jobOf('w2', { lost }) })] }),
    aStep('b', { attempts: [anAttempt(0, 5, { outcome: 'TIMEOUT', job: jobOf('w2') })] }),
    aStep('c', { attempts: [anAttempt(0, 5)] }),
  ];
  const none = { host: 'h', attempts: 0, succeeded: 0, workMs: 0, queueMs: 0, lost: [] };
  expect(totalWorkers(steps)).toEqual([
    { ...none, worker: 'w1', lost: [{ stepId: 'a', attempt: 1 }] },
    { ...none, worker: 'w2', attempts: 2, succeeded: 1, workMs: 11_000, queueMs: 4_000 },
  ]);
});
