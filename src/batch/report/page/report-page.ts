import type { BatchReport } from '../../../api/batch-report.js';
import { part, svg } from '../../../web/view/element.js';
import { startTheme } from '../../../web/view/theme.js';
import { createPageModel } from './model/page-model.js';
import { App } from './view/app.js';
import { timelinePatterns } from './view/timeline-legend.js';

startTheme();
// The data is not validated: the same version of this package wrote the data and the script.
const report: BatchReport = JSON.parse(part('report-data', HTMLScriptElement).text);
document.body.append(svg('svg', { class: 'patterns', 'aria-hidden': 'true' }, timelinePatterns()));
new App(createPageModel(report)).start();
