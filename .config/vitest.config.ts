import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { STATE_OF_TESTS } from './state-of-tests.js';
import { temporaryFolder } from './temporary-folder.js';

const INTEGRATION = 'integration';
const STRESS = 'integration/**/*.stress.test.ts';
/** Tests that read the whole tree with the compiler: they would take most of the time of the unit tests. */
const ARCHITECTURE = 'test/architecture/*.test.ts';
const VERSIONS = 'integration/versions/*.test.ts';
/** Small files whose tests take long: they start first. */
const LONG =
  /(remote-rounds|batch-kill-cli|batch-kill|dead-mounts|queue.(faults|coordinators)|frozen)\.test\.ts$/;

/**
 * Starts the largest files of the integration tests first, so that no worker is left alone with a long file at the end.
 * The durations that vitest remembers are of no use there: they may come from a part of a run.
 * vitest asks one sequencer for all projects, so the other projects keep the order of vitest.
 */
class LargestIntegrationFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sizeOf = ({ moduleId }: TestSpecification) =>
      LONG.test(moduleId) ? Number.POSITIVE_INFINITY : statSync(moduleId).size;
    const isIntegration = ({ project }: TestSpecification) => project.name === INTEGRATION;
    const sorted = await super.sort(files);
    return [
      ...sorted.filter((file) => !isIntegration(file)),
      ...sorted.filter(isIntegration).sort((a, b) => (sizeOf(a) < sizeOf(b) ? 1 : -1)),
    ];
  }
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** Every wing has a floor of its own, except `web`, which runs in a browser. */
const COVERED_WINGS = readdirSync(join(root, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'web')
  .map(({ name }) => name);

/** Files of which the gate runs some of the cases: `npm run stress` runs all of them. */
const SHORTENED = readdirSync(join(root, 'integration'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.stress)\.test\.ts$/.test(file))
  .map((file) => join('integration', file))
  .filter((file) => readFileSync(join(root, file), 'utf8').includes('gateCases('));

const shared = {
  globalSetup: fileURLToPath(new URL('vitest.global-setup.ts', import.meta.url)),
  // Tests must not write into the user's folders: the CLI's compile cache lies below XDG_CACHE_HOME (Node 22.1 and newer),
  // the state of batches below XDG_STATE_HOME.
  env: {
    ...temporaryFolder(),
    XDG_CACHE_HOME: join(root, 'node_modules/.cache/gemini-cli-provider/tests'),
    XDG_STATE_HOME: STATE_OF_TESTS,
  },
  // Starting a process for each test file costs more than running the file.
  isolate: false,
  // The gate has two cores. Further workers help, because some tests always wait for a process.
  maxWorkers: 4,
  hookTimeout: 60_000,
};

export default defineConfig({
  root,
  test: {
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LargestIntegrationFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'test/**/*.process.test.ts', ARCHITECTURE],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'architecture',
          include: [ARCHITECTURE],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'process',
          include: ['test/**/*.process.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: INTEGRATION,
          include: ['integration/**/*.test.ts'],
          exclude: [...configDefaults.exclude, STRESS, VERSIONS],
          testTimeout: 120_000,
          // A group of its own: integration tests start when the other projects are done.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'versions',
          // One version of the CLI at a time: `npm run test:versions`.
          include: [VERSIONS],
          testTimeout: 120_000,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...shared,
          name: 'stress',
          include: [STRESS, ...SHORTENED],
          env: { ...shared.env, ALL_CASES: 'true' },
          // Long runs with many repetitions: `npm run stress`. A short version of each is in another project.
          testTimeout: 1_800_000,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // These files run in a browser, against a real store, or with the real CLI in a terminal only:
      // integration/report-page.test.ts, integration/queue and integration/remote test them there.
      exclude: [
        'src/queue/embedded/postgres-host-main.ts',
        'src/agents/acp/live-session.ts',
        'src/cli/remote/**',
        'src/remote/{start-remote,open-engine-session,remote-options-schema}.ts',
        'src/remote/{drivers/acp,page/client,page/view}/**',
        'src/remote/desk/{answer-questions,ask-desk,desk-session,hook-approvals,open-desk}.ts',
        'src/remote/doctor/diagnose-remote.ts',
        'src/remote/drivers/tmux/{end-cli,tmux-session-driver}.ts',
        'src/remote/hooks/{bridge-main,install-hooks}.ts',
        'src/remote/server/{page-routes,remote-server}.ts',
        'src/remote/session/past-sessions.ts',
        'src/remote/tmux/start-cli.ts',
        'src/batch/report/page/report-page.ts',
        'src/batch/report/page/view/**',
        'src/web/view/**',
      ],
      reporter: ['text-summary', 'json-summary'],
      // The unit and process tests together: `npm run test:coverage`.
      thresholds: {
        lines: 95,
        branches: 90,
        ...Object.fromEntries(COVERED_WINGS.map((wing) => [`src/${wing}/**`, { lines: 80 }])),
      },
    },
  },
});
