import { BASE_STYLE } from '../../../web/base-style.js';
import { DETAIL_STYLE } from './detail-style.js';
import { FRAME_STYLE } from './frame-style.js';
import { LIST_STYLE } from './list-style.js';
import { TIMELINE_STYLE } from './timeline-style.js';

/** Everything that the page looks like, in the order in which rules may overrule one another. */
export const PAGE_STYLE: string = [
  BASE_STYLE,
  FRAME_STYLE,
  TIMELINE_STYLE,
  DETAIL_STYLE,
  LIST_STYLE,
].join('');
