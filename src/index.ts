export type {
  ApprovalMode,
  GenerateOptions,
  PromptDelivery,
  ProviderConfig,
  SystemPrompt,
  WorkspaceScan,
} from './config/provider-config.js';
export type {
  AgentEvent,
  AvailableCommandsEvent,
  ConfigOptionsEvent,
  DerivedToolMeaning,
  PermissionRequestEvent,
  PlanEvent,
  SessionInitEvent,
  SessionModeEvent,
  SessionStatusEvent,
  TextDeltaEvent,
  TextEvent,
  TextKind,
  ToolCompletionEvent,
  ToolInvocationEvent,
  TurnCompleteEvent,
  UnknownEvent,
  UserInputEvent,
} from './contract/agent-event.js';
export type {
  ConfigProblem,
  ErrorCode,
  ProviderErrorData,
  TimeoutPhase,
} from './contract/error.js';
export type { Logger } from './contract/logger.js';
export type { FileChangeKind, ManifestFile } from './contract/manifest.js';
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
export type { DeniedTool, ToolCategory, ToolKind } from './contract/tool.js';
export { ProviderError, type ProviderErrorInit } from './errors/provider-error.js';
export {
  type ConfigInput,
  GeminiCliProvider,
  type OptionsInput,
} from './provider/gemini-cli-provider.js';
export { registerGeminiCli } from './provider/register-gemini-cli.js';
export { type ProviderPlugin, ProviderRegistry } from './provider/registry.js';
