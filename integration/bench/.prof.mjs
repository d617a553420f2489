import { AgentPool, GeminiCliProvider } from 'gemini-cli-provider';
import { openBenchLab, PROMPT } from './lab.mjs';
import { cpuOfChildren, watchMemory } from './consumption.mjs';
for (const conc of [1, 8, 8]) {
const lab = await openBenchLab();
const pool = new AgentPool();
const p = new GeminiCliProvider({ ...lab.config, transport: 'acp', pool });
const t = performance.now(); const c0 = cpuOfChildren(); const m = watchMemory();
let left = 40; const times = [];
await Promise.all(Array.from({ length: conc }, async () => { while (left-- > 0) { const a = performance.now(); await p.generate(PROMPT); times.push(Math.round(performance.now() - a)); } }));
console.log(conc, 'ms', Math.round(performance.now() - t), pool.stats(), times.join(' '));
await pool.dispose(); await p.dispose();
console.log('cpu', cpuOfChildren() - c0, 'mem', m.stop());
await lab.close();
}
