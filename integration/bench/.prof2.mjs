import { GeminiCliProvider } from 'gemini-cli-provider';
import { openBenchLab, PROMPT } from './lab.mjs';
import { cpuOfChildren } from './consumption.mjs';
const lab = await openBenchLab();
const res = {};
for (let r = 0; r < 3; r++) for (const [name, env] of [['log', {}], ['nolog', { GEMINI_DEBUG_LOG_FILE: '' }]]) {
const p = new GeminiCliProvider({ ...lab.config, env: { ...lab.config.env, ...env }, transport: 'acp', pool: { spareSessions: 0 } });
await p.generate(PROMPT);
const c0 = cpuOfChildren(); const t = performance.now();
for (let i = 0; i < 25; i++) await p.generate(PROMPT);
const ms = (performance.now() - t) / 25;
await p.dispose(); await new Promise(r => setTimeout(r, 300));
(res[name] ??= []).push(`${ms.toFixed(0)}ms/${((cpuOfChildren() - c0)).toFixed(1)}s`);
}
console.log(res); await lab.close();
