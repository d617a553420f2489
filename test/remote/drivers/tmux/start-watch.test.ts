import { expect, it } from 'vitest';
import { StartWatch } from '../../../../src/remote/drivers/tmux/start-watch.js';
import { boxOf, createPane } from '../../tmux/scripted-pane.js';

const viewOf = (text: string) => createPane({ text }).pane.look();

it('a CLI that was started a moment ago listens when its first hook has come, not when its input box is drawn', async () => {
  const box = await viewOf(boxOf('  Type your message'));
  const watch = new StartWatch(true, () => 0);
  expect([watch.isStarting(box), watch.isStarting(box)]).toEqual([true, true]);
  watch.end();
  expect(watch.isStarting(box)).toBe(false);
  expect(new StartWatch(false).isStarting(box)).toBe(false);
});

it('a CLI whose hooks are turned off counts as started after a while with an input box', async () => {
  const [box, blank] = [await viewOf(boxOf('  Type your message')), await viewOf('')];
  let now = 0;
  const watch = new StartWatch(true, () => now);
  const lookAt = (ms: number, view = box): boolean => {
    now = ms;
    return watch.isStarting(view);
  };
  expect([lookAt(0), lookAt(15_000), lookAt(15_001, blank)]).toEqual([true, true, true]);
  // The time begins again with each screen without a box, such as that of a login.
  expect([lookAt(20_000), lookAt(35_000), lookAt(35_001), lookAt(0)]).toEqual([
    ...[true, true, false, false],
  ]);
});

it('a CLI that has ended in its own pane starts again, once for each process', async () => {
  const box = await viewOf(boxOf('  Type your message'));
  const watch = new StartWatch(false, () => 0);
  watch.restart(7);
  expect(watch.isStarting(box)).toBe(true);
  watch.end();
  watch.restart(7);
  expect(watch.isStarting(box)).toBe(false);
  watch.restart(8);
  expect(watch.isStarting(box)).toBe(true);
});
