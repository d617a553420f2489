export { AgentPool } from './acp/agent-pool.js';
export { type RunningBatch, runBatch } from './batch/run-batch.js';
export { getCapabilities } from './capabilities/get-capabilities.js';
export type { AcpAgentConfig } from './config/agent-config.js';
export type {
  ApprovalMode,
  DataOf,
  GenerateOptions,
  GenerateOptionsWith,
  PromptDelivery,
  ProviderConfig,
  SystemPrompt,
  Unattended,
  WorkspaceScan,
} from './config/provider-config.js';
export type {
  AgentEvent,
  AvailableCommandsEvent,
  ConfigOptionsEvent,
  DerivedToolMeaning,
  PermissionDecision,
  PermissionOption,
  PermissionRequestEvent,
  PlanEvent,
  SessionInitEvent,
  SessionMessagesEvent,
  SessionModeEvent,
  SessionStatusEvent,
  TextDeltaEvent,
  TextEvent,
  TextKind,
  ToolCompletionEvent,
  ToolContent,
  ToolInvocationEvent,
  TurnCompleteEvent,
  UnknownEvent,
  UserInputEvent,
} from './contract/agent-event.js';
export type { PoolOptions, PoolStats, WarmPool } from './contract/agent-pool.js';
export type {
  BatchEvent,
  BatchFinishedEvent,
  BatchStartedEvent,
  BatchWarningEvent,
  ConcurrencyEvent,
  PausedEvent,
  StepFinishedEvent,
  StepProgressEvent,
  StepRetryEvent,
  StepStartedEvent,
  StoppingEvent,
} from './contract/batch-event.js';
export type { BatchOptions } from './contract/batch-options.js';
export type {
  BatchLimits,
  BatchPlan,
  ExpandedPlan,
  Isolation,
  PlannedStep,
  PlanProblem,
  PlanStep,
  PlanVariable,
  StepSettings,
} from './contract/batch-plan.js';
export type {
  AttemptReport,
  BatchFile,
  BatchReport,
  BatchStop,
  BatchStretch,
  BatchWarning,
  StepReport,
  StepState,
  StopReason,
} from './contract/batch-report.js';
export type { CapabilitiesOptions, CliCapabilities, ModelOffer } from './contract/capabilities.js';
export type { ClientFileHooks, ClientFileWrite } from './contract/client-files.js';
export type {
  ConfigProblem,
  ErrorCode,
  ProviderErrorData,
  TimeoutPhase,
} from './contract/error.js';
export type {
  AnswerSchema,
  Expectations,
  ExpectedCommand,
  ExpectedFiles,
  MissingExpectation,
  SchemaLike,
} from './contract/expectations.js';
export type { Logger } from './contract/logger.js';
export type { FileChangeKind, ManifestFile } from './contract/manifest.js';
export type { McpServer } from './contract/mcp-server.js';
export type { OnPermission, PermissionRequest } from './contract/permission.js';
export type {
  GenerateContext,
  ProviderMetadata,
  ResponseProvider,
  ValidationReport,
} from './contract/response-provider.js';
export type {
  GenerateResult,
  RunOutput,
  RunWarning,
  TokenCounts,
  Transport,
  Usage,
  WarningCode,
} from './contract/result.js';
export type {
  ListSessionsOptions,
  Session,
  SessionDiagnostic,
  SessionHeader,
  SessionInfo,
  SessionMessage,
  SessionPlace,
  SessionThought,
  SessionTokens,
  SessionToolCall,
} from './contract/session.js';
export type {
  SessionGoneUpdate,
  SessionMessageUpdate,
  SessionProblemUpdate,
  SessionRemovedUpdate,
  SessionStatusUpdate,
  SessionUpdate,
  WatchOptions,
} from './contract/session-update.js';
export type { DeniedTool, ToolCategory, ToolKind } from './contract/tool.js';
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
} from './contract/unified-message.js';
export { ProviderError, type ProviderErrorInit } from './errors/provider-error.js';
export { readPlan } from './plan/read-plan.js';
export { AcpAgentProvider, type AgentConfigInput } from './provider/acp-agent-provider.js';
export { GeminiCliProvider } from './provider/gemini-cli-provider.js';
export { registerGeminiCli } from './provider/register-gemini-cli.js';
export { type ProviderPlugin, ProviderRegistry } from './provider/registry.js';
export type { ConfigInput, OptionsInput } from './provider/step-provider.js';
export { readSession } from './session/read-session.js';
export { findSessionFile } from './store/find-session.js';
export { getMessages } from './store/get-messages.js';
export { listSessions } from './store/list-sessions.js';
export { projectName } from './store/project-name.js';
export { toUnifiedMessages } from './unified/to-unified-messages.js';
export { watchSession } from './watch/watch-session.js';
