import type { TokenCounts, Usage } from '../../api/result.js';

/**
 * Fills in the counts that an agent does not report: cached tokens, thoughts and tokens of tool use, from the session
 * file. The report may count requests that the file does not have, so its other counts stay.
 */
export function fillUsage(reported: Usage, recorded: Usage): Usage {
  const models = Object.entries(reported.models).map(([model, counts]) => {
    return [model, fillCounts(counts, recorded.models[model])] as const;
  });
  return { ...reported, ...fillCounts(reported, recorded), models: Object.fromEntries(models) };
}

function fillCounts(reported: TokenCounts, recorded: TokenCounts | undefined): TokenCounts {
  const { total, input, output } = reported;
  // A report with a total but without thoughts has thoughts and tool use in the rest.
  const rest = Math.max(0, total - input - output);
  const recordedTool = recorded?.tool ?? 0;
  const tool = Math.max(reported.tool, rest === 0 ? recordedTool : Math.min(rest, recordedTool));
  const thoughts = rest === 0 ? (recorded?.thoughts ?? 0) : rest - tool;
  return {
    total: Math.max(total, input + output + thoughts + tool),
    input,
    output,
    cached: Math.max(reported.cached, Math.min(input, recorded?.cached ?? 0)),
    thoughts,
    tool,
  };
}
