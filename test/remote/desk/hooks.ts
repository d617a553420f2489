import type { BeforeToolHook, NotificationHook } from '../../../src/api/hook-payload.js';

/** Returns the hook before a call of a tool. */
export const callOf = (tool_name: string, tool_input: object, cwd = '/app'): BeforeToolHook => ({
  ...{ session_id: 's', cwd, hook_event_name: 'BeforeTool', tool_name },
  tool_input: { ...tool_input },
});

/** Returns the hook that announces a dialog. */
export const announcementOf = (details: object): NotificationHook => ({
  ...{ session_id: 's', cwd: '/app', hook_event_name: 'Notification' },
  notification_type: 'ToolPermission',
  details: { ...details },
});

export const shellOf = (command: string, more: object = {}): BeforeToolHook =>
  callOf('run_shell_command', { command, ...more });
export const execOf = (command: string): NotificationHook =>
  announcementOf({ type: 'exec', title: 'Confirm Shell Command', command });
