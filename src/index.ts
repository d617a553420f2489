export { AgentPool } from './agents/acp/agent-pool.js';
export { getCapabilities } from './agents/gemini/get-capabilities.js';
export type {
  AgentEvent,
  AvailableCommandsEvent,
  ConfigOptionsEvent,
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
  TurnCompleteEvent,
  UnknownEvent,
  UserInputEvent,
} from './api/agent-event.js';
export type { CapabilitiesOptions, CliCapabilities, ModelOffer } from './api/capabilities.js';
export type { ClientFileHooks, ClientFileWrite } from './api/client-file-hooks.js';
export type { Duration } from './api/duration.js';
export type {
  ConfigProblem,
  ErrorCode,
  ProviderErrorData,
  TimeoutPhase,
} from './api/error.js';
export type {
  AnswerSchema,
  Expectations,
  ExpectedCommand,
  ExpectedFiles,
  MissingExpectation,
  SchemaLike,
} from './api/expectations.js';
export type { Logger } from './api/logger.js';
export type { FileChangeKind, ManifestFile } from './api/manifest.js';
export type { McpServer } from './api/mcp-server.js';
export type { OnPermission, PermissionRequest } from './api/permission.js';
export type { ProcessIsolation } from './api/process-isolation.js';
export type {
  GenerateContext,
  ProviderMetadata,
  ResponseProvider,
  ValidationReport,
} from './api/response-provider.js';
export type {
  GenerateResult,
  StepOutput,
  StepWarning,
  TokenCounts,
  Transport,
  Usage,
  WarningCode,
} from './api/result.js';
export type { DeniedTool, ToolCategory, ToolKind } from './api/tool.js';
export type {
  DerivedToolMeaning,
  ToolCompletionEvent,
  ToolContent,
  ToolInvocationEvent,
} from './api/tool-event.js';
export type { PoolOptions, PoolStats } from './api/warm-pool.js';
export { ProviderError, type ProviderErrorInit } from './base/errors/provider-error.js';
export type { Unattended } from './config/acp-options.js';
export type { AcpAgentConfig } from './config/agent-config.js';
export type {
  ApprovalMode,
  DataOf,
  GenerateOptions,
  GenerateOptionsWith,
  PromptDelivery,
  ProviderConfig,
  SystemPrompt,
  Untyped,
  WorkspaceScan,
} from './config/provider-config.js';
export { AcpAgentProvider } from './step/acp-agent-provider.js';
export { GeminiCliProvider } from './step/gemini-cli-provider.js';
export { registerGeminiCli } from './step/register-gemini-cli.js';
export { type ProviderPlugin, ProviderRegistry } from './step/registry.js';
