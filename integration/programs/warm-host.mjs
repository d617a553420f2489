import { GeminiCliProvider } from 'gemini-cli-provider';

/** Runs one warm step and does not clean up after itself: `stay` waits to be killed, `go` exits. */
const [workingDir, cliPath, way] = process.argv.slice(2);
const { GEMINI_CLI_HOME = '', GEMINI_API_KEY = '', GOOGLE_GEMINI_BASE_URL = '' } = process.env;
const provider = new GeminiCliProvider({
  transport: 'acp',
  model: 'gemini-2.5-flash',
  workingDir,
  cliPath,
  trustWorkspace: true,
  env: { GEMINI_CLI_HOME, GEMINI_API_KEY, GOOGLE_GEMINI_BASE_URL },
});
const { text } = await provider.generate('go');
console.log(text);
if (way === 'stay') setInterval(() => {}, 1000);
