export type {
  Session,
  SessionDiagnostic,
  SessionFunctionResponse,
  SessionHeader,
  SessionMessage,
  SessionThought,
  SessionTokens,
  SessionToolCall,
} from '../api/session.js';
export type {
  ListSessionsOptions,
  LoadMessagesOptions,
  SessionInfo,
  SessionLocation,
} from '../api/session-list.js';
export type {
  SessionGoneUpdate,
  SessionMessageUpdate,
  SessionProblemUpdate,
  SessionRemovedUpdate,
  SessionStatusUpdate,
  SessionUpdate,
  WatchOptions,
} from '../api/session-update.js';
export type {
  MessageMark,
  UnifiedContent,
  UnifiedImage,
  UnifiedMessage,
  UnifiedText,
  UnifiedThinking,
  UnifiedToolResult,
  UnifiedToolUse,
  UnifiedUsage,
  UnifyOptions,
} from '../api/unified-message.js';
export { readSession } from './files/read-session.js';
export { findSessionFile } from './list/find-session.js';
export { getMessages } from './list/get-messages.js';
export { listSessions } from './list/list-sessions.js';
export { loadMessages } from './list/load-messages.js';
export { projectName } from './list/project-name.js';
export { toUnifiedMessages } from './messages/to-unified-messages.js';
export { watchSession } from './watch/watch-session.js';
