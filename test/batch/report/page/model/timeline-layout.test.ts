import { describe, expect, it } from 'vitest';
import { createTimeline } from '../../../../../src/batch/report/page/model/timeline.js';
import {
  BREAK_WIDTH,
  findItemAt,
  findNearest,
  layOutTimeline,
  NARROWEST_BAR,
} from '../../../../../src/batch/report/page/model/timeline-layout.js';
import { anAttempt, aReport, aStep, at } from '../../report-builder.js';

describe('the layout of a timeline', () => {
  const resumed = createTimeline(
    aReport(
      [
        aStep('one', { attempts: [anAttempt(0, 50)] }),
        aStep('two', { attempts: [anAttempt(1_000, 1_050)] }),
      ],
      {
        endedAt: at(1_050),
        runs: [
          { startedAt: at(0), endedAt: at(50) },
          { startedAt: at(1_000), endedAt: at(1_050) },
        ],
      },
    ),
  );

  it('gives every pause the same width', () => {
    const { lanes, breaks } = layOutTimeline(resumed, 1_000 + BREAK_WIDTH);
    expect(lanes[0]?.map(({ x, width }) => [x, width])).toEqual([
      [0, 500],
      [500 + BREAK_WIDTH, 500],
    ]);
    expect(breaks).toEqual([{ x: 500, label: '+15 min 50 s' }]);
  });

  it('has room for its bars however many pauses there are, and no labels that overlap', () => {
    const runs = Array.from({ length: 60 }, (_, index) => {
      return { startedAt: at(index * 1_000), endedAt: at(index * 1_000 + 10) };
    });
    const steps = runs.map((_, index) =>
      aStep(`s${index}`, { attempts: [anAttempt(index * 1_000, index * 1_000 + 10)] }),
    );
    const timeline = createTimeline(aReport(steps, { endedAt: at(59_010), runs }));
    const { lanes, breaks, breakWidth } = layOutTimeline(timeline, 330);
    for (const { x, width } of lanes[0] ?? []) expect(x + width).toBeLessThanOrEqual(331);
    expect(breaks).toHaveLength(59);
    const labelled = breaks.filter(({ label }) => label !== undefined);
    expect(labelled.length).toBeGreaterThan(0);
    labelled.slice(1).forEach(({ x, label = '' }, index) => {
      expect(x - (labelled[index]?.x ?? 0)).toBeGreaterThan(label.length * 7 - breakWidth);
    });
  });

  it('has ticks at round times, none of them at a pause', () => {
    const { ticks } = layOutTimeline(resumed, 1_000 + BREAK_WIDTH);
    expect(ticks.map(({ label }) => label)).toEqual([
      '0',
      '10 s',
      '20 s',
      '30 s',
      '40 s',
      '1 min',
      '1 min 10 s',
      '1 min 20 s',
      '1 min 30 s',
    ]);
  });

  it('keeps every attempt visible and inside the width', () => {
    const steps = Array.from({ length: 50 }, (_, index) =>
      aStep(`s${index}`, { attempts: [anAttempt(index * 12, index * 12 + 0.001)] }),
    );
    const last = aStep('last', { attempts: [anAttempt(600, 600)] });
    const { lanes } = layOutTimeline(createTimeline(aReport([...steps, last])), 300);
    for (const { x, width } of lanes[0] ?? []) {
      expect(width).toBeGreaterThanOrEqual(NARROWEST_BAR);
      expect(x + width).toBeLessThanOrEqual(300);
    }
  });

  it.each([0, 1, 10])('has finite positions for a width of %d', (width) => {
    const { lanes, ticks } = layOutTimeline(resumed, width);
    expect(lanes.flat().every(({ x }) => Number.isFinite(x))).toBe(true);
    expect(ticks.length).toBeLessThan(5);
  });

  it('shows a batch that took no time', () => {
    const report = aReport([aStep('one', { attempts: [anAttempt(0, 0)] })], {
      endedAt: at(0),
      runs: [{ startedAt: at(0), endedAt: at(0) }],
    });
    expect(layOutTimeline(createTimeline(report), 500)).toMatchObject({
      lanes: [[{ x: 0, width: NARROWEST_BAR }]],
      ticks: [],
    });
  });
});

describe('the attempt at a position of a lane', () => {
  const steps = [0, 100, 300].map((from) =>
    aStep(`s${from}`, { attempts: [anAttempt(from, from + 50)] }),
  );
  const { lanes } = layOutTimeline(createTimeline(aReport(steps)), 600);
  const lane = lanes[0] ?? [];

  it.each([
    [10, 's0'],
    [50, 's0'],
    [53, 's0'],
    [60, undefined],
    [97, 's100'],
    [120, 's100'],
    [599, undefined],
  ])('is found at %d: %s', (x, id) => {
    expect(findItemAt(lane, x, 4)?.item.step.id).toBe(id);
  });

  it('is the nearest one if findNearest is called', () => {
    expect(findNearest(lane, 200)?.item.step.id).toBe('s100');
    expect(findNearest(lane, 280)?.item.step.id).toBe('s300');
    expect(findNearest([], 280)).toBeUndefined();
  });
});
