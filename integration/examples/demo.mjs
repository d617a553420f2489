// The main job, with no key and no network: one code-generation step on the real Gemini CLI, against the
// scripted model, in a temporary workspace. `npm start` runs it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GeminiCliProvider } from 'gemini-cli-provider';
import { startScriptedModel } from 'gemini-cli-provider/testing';

const GREETING = `/** A friendly word for anybody. */
export function greet(name) {
  return \`Hello, \${name}!\`;
}
`;

const model = await startScriptedModel([
  {
    text: ['I read the page, ', 'then I write the module and use it.\n'],
    chunkDelayMs: 150,
    toolCalls: [{ name: 'read_file', args: { file_path: 'index.js' } }],
  },
  {
    latencyMs: 300,
    toolCalls: [
      { name: 'write_file', args: { file_path: 'src/greet.js', content: GREETING } },
      {
        name: 'replace',
        args: {
          file_path: 'index.js',
          old_string: "console.log('TODO');",
          new_string: "import { greet } from './src/greet.js';\n\nconsole.log(greet('world'));",
          instruction: 'Use the new module.',
        },
      },
      { name: 'run_shell_command', args: { command: 'node index.js' } },
    ],
  },
  {
    latencyMs: 300,
    text: ['Done: `src/greet.js` holds the greeting ', 'and `index.js` prints it.'],
  },
]);
const workspace = await mkdtemp(join(tmpdir(), 'demo-'));
await writeFile(join(workspace, 'index.js'), "// Says hello.\nconsole.log('TODO');\n");

const provider = new GeminiCliProvider({
  model: 'gemini-2.5-flash',
  workingDir: workspace,
  trustWorkspace: true,
  env: model.env,
});
try {
  const { cliPath, cliVersion } = await provider.validate();
  console.log(`Gemini CLI ${cliVersion} (${cliPath})\nworkspace ${workspace}\n`);
  for await (const event of provider.stream('Write a greeting module and use it in index.js.')) {
    switch (event.type) {
      case 'session-init':
        console.log(`session ${event.sessionId}`);
        break;
      case 'text-delta':
        process.stdout.write(event.text);
        break;
      case 'tool-invocation':
        console.log(
          `  → ${event.toolName} ${event.input['file_path'] ?? event.input['command'] ?? ''}`,
        );
        break;
      case 'tool-completion':
        console.log(`  ${event.isError ? '✗' : '✓'} ${event.toolName}`);
        break;
      case 'turn-complete':
        if (event.result !== undefined) show(event.result);
        break;
    }
  }
} finally {
  await provider.dispose();
  await model.close();
  await rm(workspace, { recursive: true, force: true });
}

/** @param {import('gemini-cli-provider').GenerateResult} result */
function show({ text, files, deniedTools, usage, durationMs }) {
  console.log(`\n\n── text ──\n${text}\n\n── files ──`);
  for (const file of files) {
    console.log(
      `${file.kind} ${file.path} (${file.bytes} bytes, ${file.tools.join(', ')}, confirmed: ${file.confirmed})`,
    );
    console.log(file.diff?.replace(/^/gm, '    '));
  }
  console.log('── denied ──');
  for (const { tool, hint } of deniedTools) console.log(`${tool}: ${hint}`);
  console.log('\n── usage ──');
  console.log(
    `${usage?.total} tokens (${usage?.input} in, ${usage?.output} out), ${usage?.toolCalls} tool calls, ${(durationMs / 1000).toFixed(1)} s`,
  );
}
