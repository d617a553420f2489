import { BASE_STYLE } from '../../../web/base-style.js';
import { DETAIL_STYLE } from './detail-style.js';
import { FRAME_STYLE } from './frame-style.js';
import { LIST_STYLE } from './list-style.js';
import { TIMELINE_STYLE } from './timeline-style.js';

/** Whole style of the page. Order matters: later rules override earlier ones. */
export const PAGE_STYLE: string = [
  BASE_STYLE,
  FRAME_STYLE,
  TIMELINE_STYLE,
  DETAIL_STYLE,
  LIST_STYLE,
].join('');
