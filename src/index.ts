export { AgentPool } from './agents/acp/agent-pool.js';
export { detectCli } from './agents/gemini/detect-cli.js';
export { getCapabilities } from './agents/gemini/get-capabilities.js';
export type { Unattended } from './api/acp-options.js';
export type {
  AgentEvent,
  AvailableCommandsEvent,
  ConfigOptionsEvent,
  PermissionDecision,
  PermissionOption,
  PermissionRequestEvent,
  PlanEvent,
  SessionInfoEvent,
  SessionInitEvent,
  SessionMessagesEvent,
  SessionModeEvent,
  SessionStatusEvent,
  TextDeltaEvent,
  TextEvent,
  TurnCompleteEvent,
  UnknownEvent,
  UserInputEvent,
  WorkerAssignedEvent,
} from './api/agent-event.js';
export type { AgentIdentity, OfferedChoice } from './api/agent-identity.js';
export type {
  CapabilitiesOptions,
  CliCapabilities,
  DetectCliOptions,
  ModelOffer,
} from './api/capabilities.js';
export type { ClientFileHooks, ClientFileWrite } from './api/client-file-hooks.js';
export type { ContentEvent } from './api/content-event.js';
export type { CostEstimate, EstimateCostOptions, ModelPrice, PriceTable } from './api/cost.js';
export type { DiagnoseOptions, Diagnosis, Finding } from './api/diagnosis.js';
export type { Duration } from './api/duration.js';
export type {
  ConfigProblem,
  ErrorCode,
  ProviderErrorData,
  TimeoutPhase,
} from './api/error.js';
export type { TextKind } from './api/event-base.js';
export type {
  ExecuteFailure,
  ExecuteOptions,
  ExecuteResult,
  ExecuteSuccess,
  PermissionMode,
} from './api/execute-options.js';
export type {
  AnswerSchema,
  Expectations,
  ExpectedCommand,
  ExpectedFiles,
  MissingExpectation,
  SchemaLike,
} from './api/expectations.js';
export type { DataOf, GenerateOptions, GenerateOptionsWith } from './api/generate-options.js';
export type { JobReport, LostAttempt } from './api/job-report.js';
export type { Logger } from './api/logger.js';
export type { FileChangeKind, ManifestFile } from './api/manifest.js';
export type { McpServer } from './api/mcp-server.js';
export type {
  OnPermission,
  PermissionAnswer,
  PermissionChoice,
  PermissionRequest,
} from './api/permission.js';
export type { ProcessIsolation } from './api/process-isolation.js';
export type {
  FileAccessEvent,
  FileChangeEvent,
  TerminalEvent,
  UsageUpdateEvent,
} from './api/progress-event.js';
export type {
  ApprovalMode,
  PromptDelivery,
  ProviderConfig,
  SystemPrompt,
  WorkspaceScan,
} from './api/provider-config.js';
export type {
  ContextKeys,
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
export type {
  StreamError,
  StreamInit,
  StreamMessage,
  StreamModelStats,
  StreamRecord,
  StreamResult,
  StreamStats,
  StreamToolResult,
  StreamToolUse,
} from './api/stream-record.js';
export type { DeniedTool, ToolCategory, ToolKind } from './api/tool.js';
export type {
  DerivedToolMeaning,
  TerminalResult,
  ToolCompletionEvent,
  ToolContent,
  ToolInvocationEvent,
  ToolUpdateEvent,
} from './api/tool-event.js';
export type { PoolOptions, PoolStats } from './api/warm-pool.js';
export { ProviderError, type ProviderErrorInit } from './base/errors/provider-error.js';
export { estimateCost } from './base/usage/estimate-cost.js';
export type { AcpAgentConfig } from './config/agent-config.js';
export { parseConfig, parseGenerateOptions } from './config/parse-config.js';
export { AcpAgentProvider } from './step/acp-agent-provider.js';
export { diagnose } from './step/doctor/diagnose.js';
export { execute } from './step/execute.js';
export { GeminiCliProvider } from './step/gemini-cli-provider.js';
export { registerAcpAgent } from './step/register-acp-agent.js';
export { registerGeminiCli } from './step/register-gemini-cli.js';
export { type ProviderPlugin, ProviderRegistry } from './step/registry.js';
