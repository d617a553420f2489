import { ensureFreshBuild } from './fresh-build.mjs';

await ensureFreshBuild();
