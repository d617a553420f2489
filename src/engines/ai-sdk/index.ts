export { createGeminiCli, type GeminiCli } from './create-gemini-cli.js';
export type { CreateGeminiCliOptions, GeminiCliCallOptions } from './gemini-cli-settings.js';
