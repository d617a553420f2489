import type { BatchReport } from '../../../api/batch-report.js';
import { createPageModel } from './model/page-model.js';
import { App } from './view/app.js';
import { part, svg } from './view/element.js';
import { startTheme } from './view/theme.js';
import { timelinePatterns } from './view/timeline-legend.js';

startTheme();
// Written by the same version of this package that wrote the script.
const report: BatchReport = JSON.parse(part('report-data', HTMLScriptElement).text);
document.body.append(svg('svg', { class: 'patterns', 'aria-hidden': 'true' }, timelinePatterns()));
new App(createPageModel(report)).start();
