import { expect, it } from 'vitest';
import { renderGuard } from '../../../src/remote/tmux/key-guard.js';

it('renders rows without any character that means something to tmux', () => {
  const hostile = '#{pane_pid} #(touch x), } echo one.txt; "$(id)" `x` \'; kill-server';
  const guard = renderGuard({ states: ['asking'], rows: [hostile, '│ ● 1. Allow once │', '你好'] });
  expect(guard).toBe(
    '#{?pane_synchronized,0,#{?pane_input_off,0,#{&&:#{||:#{m:✋*,#{pane_title}},0},#{&&:#{C/r:echo +one[.]txt},#{&&:#{C/r:1[.] +Allow +once},1}}}}}',
  );
});
