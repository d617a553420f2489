import { join } from 'node:path';
import { readFolder } from '../../base/fs/read-folder.js';
import { findSetting, loadSettings, type SettingsFile, settingsInForce } from './settings-file.js';
import { decideTrust, type Trust, type Workspace } from './trust.js';

/** Effects of the CLI's own settings on a step. */
export interface CliSettings {
  readonly trust: Trust;
  /** True if there are hooks, which may stop a turn without any message. */
  readonly hasHooks: boolean;
  /** Tools that the settings allow without a rule of the caller; `mcp_*` stands for all tools of MCP servers. */
  readonly allowedTools: readonly string[];
  /** Names of the files that the CLI reads as instructions. */
  readonly contextFiles: readonly string[];
}

export function readCliSettings(workspace: Omit<Workspace, 'settings'>): CliSettings {
  const { geminiHome, workingDir } = workspace;
  const settings = loadSettings(geminiHome, workingDir);
  const trust = decideTrust({ ...workspace, settings });
  const files = settingsInForce(settings, trust.readsProject);
  const folders = [geminiHome, ...(trust.readsProject ? [join(workingDir, '.gemini')] : [])];
  return {
    trust,
    hasHooks: files.some(hasHooks) || folders.some(hasExtensionHooks),
    allowedTools: [
      ...files.flatMap((file) => listOf(findSetting([file], 'tools.allowed'))),
      ...(files.some((file) => hasEntries(findSetting([file], 'mcpServers'))) ? ['mcp_*'] : []),
      // Policy files are not parsed, so assume that they allow every tool.
      ...(folders.some(hasPolicies) ? ['*'] : []),
    ],
    contextFiles: findContextFiles(files),
  };
}

function findContextFiles(files: readonly SettingsFile[]): string[] {
  const named = findSetting(files, 'context.fileName');
  const names = typeof named === 'string' ? [named] : listOf(named);
  return names.length === 0 ? ['GEMINI.md'] : names;
}

function hasHooks(file: SettingsFile): boolean {
  return hasEntries(findSetting([file], 'hooks'));
}

function hasExtensionHooks(folder: string): boolean {
  const extensions = join(folder, 'extensions');
  return readFolder(extensions).some(({ name }) => {
    return readFolder(join(extensions, name, 'hooks')).some((file) => file.name === 'hooks.json');
  });
}

function hasPolicies(folder: string): boolean {
  return readFolder(join(folder, 'policies')).some(({ name }) => name.endsWith('.toml'));
}

function hasEntries(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
