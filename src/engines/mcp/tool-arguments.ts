import { z } from 'zod';
import { DEFAULT_WAIT_SECONDS, LONGEST_PROMPT, LONGEST_WAIT_SECONDS } from './mcp-limits.js';

const LONGEST_PATH = 4096;
const MOST_NAMED_FILES = 200;
const MOST_STEPS_GIVEN = 500;

const path = z.string().min(1).max(LONGEST_PATH);
const prompt = z.string().min(1).max(LONGEST_PROMPT);
const model = z.string().min(1).max(200);
const texts = z.union([z.string(), z.array(z.string()).max(100)]);

const cwd = path
  .optional()
  .describe('Working directory, below a root of the server. Default: the first root');
const waitSeconds = z
  .number()
  .min(0)
  .max(LONGEST_WAIT_SECONDS)
  .default(DEFAULT_WAIT_SECONDS)
  .describe('Longest wait for the result. After it, the answer is a jobId. 0 returns at once');
const jobId = z.string().min(1).max(100);
const allowShell = z
  .boolean()
  .default(false)
  .describe('Let the agent run shell commands, as far as the server allows them');
const isolation = z
  .enum(['worktree', 'copy', 'shared'])
  .default('worktree')
  .describe('worktree, copy: changes wait for gemini_apply. shared: the folder is changed at once');
const expects = z
  .object({
    files: texts.optional().describe('Globs of files that must be created or modified'),
    contains: texts.optional().describe('Texts that the answer must contain'),
    json: z.record(z.string(), z.unknown()).optional().describe('JSON Schema of the answer'),
    command: texts.optional().describe('Commands that must succeed afterwards. Needs allowShell'),
    noChangesOutside: texts.optional().describe('Globs of files that may change'),
  })
  .describe('Conditions that are checked after the work');
const repair = z
  .int()
  .min(0)
  .max(10)
  .default(0)
  .describe('Further turns to repair unmet conditions of expects');

const step = {
  prompt: prompt.describe('What to do, in words. The agent sees nothing else of your conversation'),
  cwd,
  files: z
    .array(path)
    .max(MOST_NAMED_FILES)
    .optional()
    .describe('Files that the agent should read first, relative to cwd'),
  model: model.optional().describe('Gemini model. Default: that of the server'),
  resume: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('sessionId of an earlier result, to continue that conversation'),
};

export const askArguments = z.object({
  ...step,
  json: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('JSON Schema: the answer must be JSON of this form, and is returned as data'),
  waitSeconds,
});

export const editArguments = z.object({
  ...step,
  isolation,
  allowShell,
  expects: expects.optional(),
  repair,
  waitSeconds,
});

export const jobArguments = z.object({ jobId, waitSeconds });

export const cancelArguments = z.object({ jobId });

export const batchArguments = z.object({
  plan: path.optional().describe('Plan file (YAML or JSON), relative to cwd. Either plan or steps'),
  steps: z
    .array(
      z.object({
        id: z.string().min(1).max(200),
        prompt: prompt.describe('May refer to results of other steps: {{steps.ID.text}}'),
        needs: z.array(z.string()).optional().describe('Ids of steps that must succeed first'),
        isolation: z.enum(['shared', 'worktree', 'copy']).optional(),
        model: model.optional(),
        expects: expects.optional(),
        repair: repair.optional(),
      }),
    )
    .min(1)
    .max(MOST_STEPS_GIVEN)
    .optional(),
  cwd,
  out: path.optional().describe('Folder for reports and ledger, relative to cwd'),
  concurrency: z.int().min(1).max(64).optional().describe('Steps at the same time'),
  allowShell,
  waitSeconds,
});

export const statusArguments = z.object({ cwd });
