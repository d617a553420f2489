type Input = Readonly<Record<string, unknown>>;

interface ClaudeTool {
  readonly name: string;
  readonly input: (args: Input) => Input;
}

/** Tools of the CLI with Claude's names and inputs. Old argument names are included, because old sessions have them. */
const CLAUDE_TOOLS: Readonly<Record<string, ClaudeTool>> = {
  read_file: {
    name: 'Read',
    input: ({ absolute_path, file_path, start_line, end_line, offset, limit }) => ({
      file_path: absolute_path ?? file_path,
      offset: start_line ?? offset,
      limit: lineCount(start_line, end_line) ?? limit,
    }),
  },
  write_file: {
    name: 'Write',
    input: ({ file_path, content }) => ({ file_path, content }),
  },
  replace: {
    name: 'Edit',
    input: ({ file_path, old_string, new_string, allow_multiple, expected_replacements }) => ({
      file_path,
      old_string,
      new_string,
      replace_all: allow_multiple === true || Number(expected_replacements) > 1 ? true : undefined,
    }),
  },
  list_directory: {
    name: 'Glob',
    input: ({ path, dir_path }) => ({ pattern: '*', path: path ?? dir_path }),
  },
  glob: {
    name: 'Glob',
    input: ({ pattern, path, dir_path }) => ({ pattern, path: path ?? dir_path }),
  },
  grep_search: { name: 'Grep', input: toGrep },
  search_file_content: { name: 'Grep', input: toGrep },
  run_shell_command: {
    name: 'Bash',
    input: ({ command, description, is_background }) => ({
      command,
      description,
      run_in_background: is_background === true ? true : undefined,
    }),
  },
  google_web_search: { name: 'WebSearch', input: (args) => args },
  web_fetch: {
    name: 'WebFetch',
    // `web_fetch` has its URL in the prompt.
    input: ({ url, prompt }) => ({
      url: url ?? /https?:\/\/[^\s<>"'`)\]]*[^\s<>"'`)\].,;:!?]/.exec(String(prompt))?.[0],
      prompt,
    }),
  },
  write_todos: {
    name: 'TodoWrite',
    input: ({ todos }) => ({ todos: Array.isArray(todos) ? todos.map(toTodo) : todos }),
  },
  invoke_agent: {
    name: 'Task',
    input: ({ agent_name, prompt, description }) => ({
      subagent_type: agent_name,
      prompt,
      description,
    }),
  },
};

/** Converts a tool call to Claude's name and input. Tools unknown to Claude keep theirs. */
export function toClaudeTool(
  name: string,
  args: Input,
): { readonly name: string; readonly input: Input } {
  const tool = Object.hasOwn(CLAUDE_TOOLS, name) ? CLAUDE_TOOLS[name] : undefined;
  if (tool === undefined) return { name, input: args };
  const given = Object.entries(tool.input(args)).filter(([, value]) => value !== undefined);
  return { name: tool.name, input: Object.fromEntries(given) };
}

function lineCount(first: unknown, last: unknown): number | undefined {
  if (typeof last !== 'number') return undefined;
  return last - (typeof first === 'number' ? first : 1) + 1;
}

function toGrep({ pattern, path, dir_path, include, include_pattern, names_only, ...rest }: Input) {
  return {
    pattern,
    path: path ?? dir_path,
    glob: include_pattern ?? include,
    output_mode: names_only === true ? 'files_with_matches' : undefined,
    head_limit: rest['total_max_matches'],
  };
}

function toTodo(todo: unknown): unknown {
  if (typeof todo !== 'object' || todo === null || !('description' in todo)) return todo;
  const { description, ...rest } = todo;
  return { content: description, ...rest };
}
