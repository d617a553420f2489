// Demo without a key and without a network: a batch of six code-generation steps on the real Gemini CLI against the
// scripted model, in temporary folders. The second act runs the same plan on two workers behind a queue, one of which is
// killed. `npm start` runs the demo.
import { runDemoBatch } from './demo-batch.mjs';
import { runDemoQueue } from './demo-queue.mjs';

// Ctrl-C reaches the commands as well. The demo waits for their end and removes its folders.
process.on('SIGINT', () => {});

console.error('Act 1: a plan of six steps on this machine\n');
const { exitCode, workspace } = await runDemoBatch();
process.exitCode = exitCode;
if (exitCode === 0) {
  console.error('\nAct 2: the same plan on two workers behind a queue. One of them is killed\n');
  process.exitCode = await runDemoQueue(workspace);
}
