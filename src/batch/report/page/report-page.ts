import { part, svg } from '../../../web/view/element.js';
import { startTheme } from '../../../web/view/theme.js';
import type { CutPart, PackedReport } from '../packed/packed-report.js';
import { unpackReport } from '../packed/unpack-report.js';
import type { Transcript } from '../transcript/transcript.js';
import { createPageModel, type PageModelExtras } from './model/page-model.js';
import { App } from './view/app.js';
import { timelinePatterns } from './view/timeline-legend.js';

startTheme();
// The data is not validated: the same version of this package wrote the data and the script.
const packed: PackedReport = JSON.parse(part('report-data', HTMLScriptElement).text);
document.body.append(svg('svg', { class: 'patterns', 'aria-hidden': 'true' }, timelinePatterns()));
new App(createPageModel(unpackReport(packed), readExtras(packed))).start();

function readExtras({
  writtenAt,
  filesLeftOut,
  steps,
  transcripts,
}: PackedReport): PageModelExtras {
  const told = steps.flatMap(({ id }, index): [string, Transcript][] => {
    const transcript = transcripts[index];
    return transcript === undefined ? [] : [[id, transcript]];
  });
  const cut = steps.flatMap(({ id, cut: parts }): [string, readonly CutPart[]][] => {
    return parts === undefined ? [] : [[id, parts]];
  });
  return { writtenAt, filesLeftOut, transcripts: new Map(told), cutParts: new Map(cut) };
}
