/** Examples of seed 002, unchanged: the `update` of each `session/update`. */
export const SEED_UPDATES = {
  agent_message_chunk: {
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text: "I'll fix the login..." },
  },
  agent_thought_chunk: {
    sessionUpdate: 'agent_thought_chunk',
    content: { type: 'text', text: 'Let me analyze the auth flow...' },
  },
  user_message_chunk: {
    sessionUpdate: 'user_message_chunk',
    content: { type: 'text', text: 'Replaying a prior user turn' },
  },
  plan: {
    sessionUpdate: 'plan',
    entries: [{ text: 'Step 1' }, { text: 'Step 2' }],
  },
  config_option_update: {
    sessionUpdate: 'config_option_update',
    configOptions: [{ id: 'model', values: ['model-a', 'model-b'] }],
  },
  available_commands_update: {
    sessionUpdate: 'available_commands_update',
    availableCommands: [{ id: 'help', name: 'Help' }],
  },
  current_mode_update: {
    sessionUpdate: 'current_mode_update',
    currentModeId: 'fast',
  },
  tool_call_update: {
    sessionUpdate: 'tool_call_update',
    toolCall: {
      toolCallId: 'call-001',
      title: 'Reading login controller',
      kind: 'read',
      status: 'in_progress',
      content: {
        type: 'content',
        content: { type: 'text', text: 'Reading /src/auth/login.dart...' },
      },
      locations: ['/src/auth/login.dart'],
      rawInput: { path: '/src/auth/login.dart' },
    },
  },
} as const;

/** Parameters of `session/request_permission` with the JSON-RPC id 100. */
export const SEED_PERMISSION_REQUEST = {
  sessionId: 'sess-abc-123',
  toolCall: {
    toolCallId: 'call-77',
    title: 'Run tests',
    kind: 'execute',
    rawInput: { command: 'npm test' },
  },
  options: [
    { optionId: 'allow_once', name: 'Allow once', kind: 'allow_once' },
    { optionId: 'allow_always', name: 'Always allow', kind: 'allow_always' },
    { optionId: 'reject_once', name: 'Reject once', kind: 'reject_once' },
    { optionId: 'reject_always', name: 'Always reject', kind: 'reject_always' },
  ],
} as const;

export const SEED_PROMPT_RESPONSE = { stopReason: 'end_turn' } as const;
