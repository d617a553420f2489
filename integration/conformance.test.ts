import { SpanStatusCode } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import {
  AcpAgentProvider,
  AgentPool,
  GeminiCliProvider,
  type ProviderConfig,
} from 'gemini-cli-provider';
import {
  addConformanceTests,
  type ConformanceOptions,
  type ConformanceProvider,
} from 'gemini-cli-provider/conformance';
import { traced } from 'gemini-cli-provider/otel';
import { createStepWorker, QueuedProvider } from 'gemini-cli-provider/queue';
import { type ScriptedModel, startScriptedModel } from 'gemini-cli-provider/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareStore } from './queue/servers.js';
import { GEMINI, makeFolder } from './support.js';
import { writing } from './tool-calls.js';

/** One model answers all providers of this file. */
let model: ScriptedModel;
/** Warm processes that all providers over ACP share. */
const pool = new AgentPool();
const ends: (() => void | Promise<void>)[] = [];
beforeAll(async () => {
  model = await startScriptedModel([
    { prompt: 'succeed', turns: [writing('written.txt', 'hi\n'), { text: ['Do', 'ne.'] }] },
    {
      prompt: 'fail',
      turns: [writing('partial.txt', 'x\n'), { error: { status: 400, message: 'No.' } }],
    },
    { prompt: 'wait', turns: [{ text: ['a', 'b'], chunkDelayMs: 120_000 }] },
  ]);
  return async () => {
    for (const end of ends) await end();
    await pool.dispose();
    await model.close();
  };
});

function check(open: ConformanceOptions['open']): void {
  addConformanceTests(
    { it, after: afterAll },
    {
      open,
      prompts: { succeed: 'succeed', fail: 'fail', wait: 'wait' },
      writtenFile: 'written.txt',
      partialFile: 'partial.txt',
      endWithin: 60,
    },
  );
}

function openGemini(config: ProviderConfig): ConformanceProvider {
  const workingDir = makeFolder({}, (end) => ends.push(end));
  const provider = new GeminiCliProvider({ ...geminiConfig(), workingDir, ...config });
  return { provider, workingDir };
}

function geminiConfig(): ProviderConfig {
  const { env } = model;
  return { model: 'gemini-2.5-flash', env, trustWorkspace: true, cliPath: GEMINI };
}

describe('GeminiCliProvider, headless', () => check(() => openGemini({})));

describe('GeminiCliProvider over ACP', () => check(() => openGemini({ transport: 'acp', pool })));

describe('AcpAgentProvider', () => {
  check(() => {
    const workingDir = makeFolder({}, (end) => ends.push(end));
    const env = { ...model.env, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
    const command = { command: GEMINI, args: ['--acp', '-m', 'gemini-2.5-flash'] };
    return { provider: new AcpAgentProvider({ ...command, workingDir, env }), workingDir };
  });
});

describe('traced(GeminiCliProvider)', () => {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  const tracerProvider = new BasicTracerProvider({ spanProcessors });
  check(() => {
    const { provider, workingDir } = openGemini({ transport: 'acp', pool });
    return { provider: traced(provider, { tracerProvider }), workingDir };
  });
  afterAll(() => {
    const outcomes = exporter.getFinishedSpans().map(({ status }) => status.code);
    expect(new Set(outcomes)).toEqual(new Set([SpanStatusCode.UNSET, SpanStatusCode.ERROR]));
  });
});

describe('QueuedProvider', () => {
  check(async () => {
    const workingDir = makeFolder({}, (end) => ends.push(end));
    const queue = await shareStore('postgres');
    const name = `conformance-${process.pid}-${workingDir.slice(-6)}`;
    const agent = new GeminiCliProvider({ ...geminiConfig(), transport: 'acp', pool });
    const worker = await createStepWorker({ queue, name, provider: agent, concurrency: 2 });
    const provider = new QueuedProvider({ queue, name, config: { workingDir } });
    const close = async () => {
      await worker.close({ drain: false });
      await agent.dispose();
    };
    return { provider, workingDir, close };
  });
});
