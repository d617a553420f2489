export type {
  AfterAgentHook,
  AfterToolHook,
  BeforeAgentHook,
  BeforeToolHook,
  HookBase,
  HookPayload,
  NotificationHook,
  SessionEndHook,
  SessionStartHook,
} from '../api/hook-payload.js';
export type {
  RemoteActor,
  RemoteChange,
  RemoteControl,
  RemotePrompt,
  RemoteStart,
} from '../api/remote-control.js';
export type { RemoteEngineOptions, RemoteEngineSession } from '../api/remote-engine.js';
export type {
  RemoteBlock,
  RemoteChangeEntry,
  RemoteDecisionEntry,
  RemoteEntry,
  RemoteEntryContent,
  RemoteMessageEntry,
  RemotePromptEntry,
  RemoteRequestEntry,
  RemoteSource,
  RemoteToolEntry,
} from '../api/remote-entry.js';
export type { Remote, RemoteDevice, RemoteOptions, RemoteRight } from '../api/remote-options.js';
export type {
  RemoteDecision,
  RemoteOption,
  RemoteQuestion,
  RemoteRequest,
  RemoteRule,
} from '../api/remote-request.js';
export type {
  RemoteCapabilities,
  RemoteDriverName,
  RemoteSession,
  RemoteState,
} from '../api/remote-session.js';
export { type HookOptions, installHooks, uninstallHooks } from './hooks/install-hooks.js';
export { startRemote } from './start-remote.js';
