export type {
  ModelRequest,
  Script,
  ScriptedAnswer,
  ScriptedFunction,
  ScriptedHttpError,
  ScriptedRule,
  ScriptedToolCall,
  ScriptedTurn,
} from './script.js';
export {
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
} from './scripted-model.js';
