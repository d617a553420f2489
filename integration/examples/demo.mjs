// Demo without a key and without a network: a batch of six code-generation steps on the real Gemini CLI against the
// scripted model, in temporary folders. `npm start` runs the demo.
import { runDemoBatch } from './demo-batch.mjs';

process.exitCode = await runDemoBatch();
