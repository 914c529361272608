import * as vscode from 'vscode';
import { Setting } from '../../ui/ids';
import type { DefaultChoice } from '../ask/confirmToolCall';
import {
  serverPolicies,
  taintSources,
  tighten,
  type ServerPolicy,
  type ToolPolicy,
} from '../gate/policy';

const defaults: ToolPolicy = {
  servers: {},
  deny: [],
  trustReadOnlyHint: [],
  maxCallsPerMinute: 60,
  maxCallsPerAnswer: 50,
  taint: 'declared',
};

/** The policy in force: the person's settings, made stricter by those of the workspace and each of its folders. */
export function readPolicy(): ToolPolicy {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return [
    readLevel('workspaceValue'),
    ...folders.map(({ uri }) => readLevel('workspaceFolderValue', uri)),
  ].reduce<ToolPolicy>(tighten, { ...defaults, ...readLevel('globalValue') });
}

/** What Enter does in a confirmation; only the person's own settings count. */
export function readDefaultChoice(): DefaultChoice {
  const value = reader('globalValue')(Setting.toolDefaultChoice);
  return value === 'edit' || value === 'allow' ? value : 'deny';
}

/** What the audit log keeps of arguments. */
export function readKeptArguments(): 'redacted' | 'hashes' {
  return vscode.workspace.getConfiguration().get(Setting.toolLogArguments) === 'hashes'
    ? 'hashes'
    : 'redacted';
}

type Level = 'globalValue' | 'workspaceValue' | 'workspaceFolderValue';

function reader(level: Level, scope?: vscode.Uri): (key: string) => unknown {
  const settings = vscode.workspace.getConfiguration(undefined, scope);
  return (key) => settings.inspect<unknown>(key)?.[level];
}

/** What one level of the settings says, as far as it makes sense. */
function readLevel(level: Level, scope?: vscode.Uri): Partial<ToolPolicy> {
  const read = reader(level, scope);
  const servers = toServers(read(Setting.toolServerPolicy));
  const deny = toStrings(read(Setting.toolDenyList));
  const trustReadOnlyHint = toStrings(read(Setting.toolTrustReadOnlyHint));
  const maxCallsPerMinute = toLimit(read(Setting.toolMaxCallsPerMinute));
  const maxCallsPerAnswer = toLimit(read(Setting.toolMaxCallsPerAnswer));
  const taint = taintSources.find((each) => each === read(Setting.toolTaint));
  return {
    ...(servers && { servers }),
    ...(deny && { deny }),
    ...(trustReadOnlyHint && { trustReadOnlyHint }),
    ...(maxCallsPerMinute !== undefined && { maxCallsPerMinute }),
    ...(maxCallsPerAnswer !== undefined && { maxCallsPerAnswer }),
    ...(taint && { taint }),
  };
}

function toServers(value: unknown): Readonly<Record<string, ServerPolicy>> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value).flatMap(([id, policy]) => {
    const known = serverPolicies.find((each) => each === policy);
    return known ? [[id, known] as const] : [];
  });
  return Object.fromEntries(entries);
}

function toStrings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

function toLimit(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined;
}
