/** Tool calls for the answers of a scripted model. */
export const write = (path: string, content: string) => ({
  name: 'write_file',
  args: { file_path: path, content },
});

export const replace = (path: string, from: string, to: string) => ({
  name: 'replace',
  args: { file_path: path, old_string: from, new_string: to, instruction: 'change' },
});

export const shell = (command: string) => ({ name: 'run_shell_command', args: { command } });

/** Answers of a scripted model that consist of one tool call. */
export const writing = (path: string, content: string) => ({ toolCalls: [write(path, content)] });
export const running = (command: string) => ({ toolCalls: [shell(command)] });
