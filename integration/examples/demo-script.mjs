// What the scripted model answers in the demo.

/**
 * @param {string} path
 * @param {string} content
 */
const write = (path, content) => ({
  latencyMs: 300,
  toolCalls: [{ name: 'write_file', args: { file_path: path, content } }],
});
const done = {
  latencyMs: 300,
  text: ['The file is written, ', 'and it works.'],
  chunkDelayMs: 100,
};

const GREET = `/** Returns a greeting. */
export const greet = (name) => 'Hello, ' + name + '!';
`;
const FAREWELL = `export const farewell = (name) => 'Goodbye, ' + name + '!';
`;
const INDEX = `import { farewell } from './src/farewell.js';
import { greet } from './src/greet.js';

console.log(greet('world'));
console.log(farewell('world'));
`;

/** Answers of the model to the steps of demo-plan.yaml. */
export const SCRIPT = [
  { prompt: 'src/greet.js, which', turns: [write('src/greet.js', GREET), done] },
  {
    prompt: 'src/farewell.js, which',
    turns: [
      {
        attempts: [
          { error: { status: 429, message: 'Too many requests.', retryDelay: '2s' } },
          write('src/farewell.js', FAREWELL),
        ],
      },
      done,
    ],
  },
  {
    prompt: 'into de',
    turns: [write('src/greet.de.js', GREET.replaceAll('Hello', 'Hallo')), done],
  },
  {
    prompt: 'into fr',
    turns: [write('src/greet.fr.js', GREET.replaceAll('Hello', 'Bonjour')), done],
  },
  // The first answer has a wrong import path. The repair prompt has the output of the command, and its answer is right.
  {
    prompt: 'Write index.js',
    turns: [write('index.js', INDEX.replace('./src/greet.js', './greet.js')), done],
  },
  { prompt: 'was checked', turns: [write('index.js', INDEX), done] },
  {
    prompt: 'as JSON',
    turns: [{ latencyMs: 300, text: 'There are four modules.\n{"modules": 4}' }],
  },
];
