import type { PriceTable } from '../../api/cost.js';
import type { SessionInfo } from '../../api/session-list.js';
import { estimateCost } from '../../base/usage/estimate-cost.js';
import { sumTokenCounts } from '../../base/usage/token-counts.js';
import { readSession } from '../files/read-session.js';
import { countUnifiedMessages } from '../messages/to-unified-messages.js';

/** Files up to this size are always counted. */
const SMALL_BYTES = 32 * 1024;
/** Total size of the larger files that are counted, newest first. */
const COUNTED_BYTES = 4 * 1024 * 1024;

/** Adds message and token counts, which need the whole file: for all sessions with `exact`, else if that is cheap. */
export async function countSessions(
  infos: readonly SessionInfo[],
  counts: 'auto' | 'exact',
  prices?: PriceTable | undefined,
): Promise<SessionInfo[]> {
  let spentBytes = 0;
  const counted: SessionInfo[] = [];
  for (const info of infos) {
    const isSmall = info.bytes <= SMALL_BYTES;
    const isCheap = isSmall || spentBytes + info.bytes <= COUNTED_BYTES;
    if (!isSmall && isCheap) spentBytes += info.bytes;
    counted.push(counts === 'exact' || isCheap ? await count(info, prices) : info);
  }
  return counted;
}

async function count(info: SessionInfo, prices: PriceTable | undefined): Promise<SessionInfo> {
  try {
    const { header, messages } = await readSession(info.file);
    const tokens = sumTokenCounts(messages.map(({ tokens: counts }) => counts));
    return {
      ...info,
      // The summary may be in the middle of the file, which the list has not read.
      summary: header?.summary ?? info.summary,
      messageCount: countUnifiedMessages(messages),
      tokens,
      ...(tokens.total === 0 ? {} : { cost: estimateCost(messages, { prices }) }),
    };
  } catch {
    // The file was removed after it was listed.
    return info;
  }
}
