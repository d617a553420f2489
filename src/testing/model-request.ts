import type { ModelRequest } from './script.js';

interface Part {
  readonly text?: string;
  readonly functionResponse?: unknown;
}

interface Content {
  readonly role?: string;
  readonly parts?: readonly Part[];
}

interface Body {
  readonly contents?: readonly Content[];
  readonly tools?: readonly {
    readonly functionDeclarations?: readonly { readonly name: string }[];
  }[];
  readonly systemInstruction?: Content;
  readonly generationConfig?: { readonly responseMimeType?: string };
}

const ENDPOINT = /^\/v[\w.]+\/models\/([^:/]+):(\w+)/;

/** Parses a request of the CLI. Returns undefined for a path that is not a model endpoint. */
export function parseModelRequest(path: string, text: string): ModelRequest | undefined {
  const match = ENDPOINT.exec(path);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  const body: Body & Record<string, unknown> = text === '' ? {} : JSON.parse(text);
  const contents = body.contents ?? [];
  const asked = contents.findLastIndex(isPrompt);
  const promptParts = textsOf(contents[asked]).filter((part) => !isSessionContext(part));
  return {
    method: match[2],
    model: decodeURIComponent(match[1]),
    streaming: match[2] === 'streamGenerateContent',
    prompt: promptParts[0] ?? '',
    promptParts,
    turn: contents.slice(asked + 1).filter((content) => content.role === 'user').length,
    tools: (body.tools ?? [])
      .flatMap((tool) => tool.functionDeclarations ?? [])
      .map(({ name }) => name),
    systemInstruction: textsOf(body.systemInstruction).join(''),
    body,
  };
}

function isPrompt({ role, parts }: Content): boolean {
  return role === 'user' && (parts ?? []).every((part) => part.functionResponse === undefined);
}

/** True for the introduction that the CLI puts before the first prompt. */
function isSessionContext(text: string): boolean {
  return text.startsWith('<session_context>');
}

function textsOf(content: Content | undefined): string[] {
  return (content?.parts ?? []).flatMap((part) => part.text ?? []);
}

/** True for the CLI's own requests, such as the choice of a model: they ask for JSON. */
export function wantsJson({ body }: ModelRequest): boolean {
  const { generationConfig }: Body = body;
  return generationConfig?.responseMimeType === 'application/json';
}
