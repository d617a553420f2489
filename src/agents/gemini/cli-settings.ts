import { join } from 'node:path';
import { readFolder } from '../../base/fs/read-folder.js';
import { findSetting, loadSettings, type SettingsFile, settingsInForce } from './settings-file.js';
import { decideTrust, type Trust, type Workspace } from './trust.js';

/** What the CLI's own settings mean for a run. */
export interface CliSettings {
  readonly trust: Trust;
  /** Hooks may stop a run without a word. */
  readonly hasHooks: boolean;
  /** Tools that the settings allow on their own, such as shell commands; `mcp_*` for those of MCP servers. */
  readonly allowedTools: readonly string[];
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
      // What policies allow is not read: they may allow anything.
      ...(folders.some(hasPolicies) ? ['*'] : []),
    ],
  };
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
