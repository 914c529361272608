import * as vscode from 'vscode';
import { Setting } from '../ui/ids';
import type { DefaultChoice } from './confirmToolCall';
import { serverPolicies, tighten, type ServerPolicy, type ToolPolicy } from './policy';

/** The policy in force: the person's settings, made stricter by those of the workspace and its folders. */
export function readPolicy(): ToolPolicy {
  const user: ToolPolicy = {
    servers: readServers('globalValue') ?? {},
    deny: readStrings(Setting.toolDenyList, 'globalValue') ?? [],
    trustReadOnlyHint: readStrings(Setting.toolTrustReadOnlyHint, 'globalValue') ?? [],
    maxCallsPerMinute: readLimit(Setting.toolMaxCallsPerMinute, 'globalValue') ?? 60,
    maxCallsPerAnswer: readLimit(Setting.toolMaxCallsPerAnswer, 'globalValue') ?? 50,
    taint: readTaint('globalValue') ?? 'declared',
  };
  return (['workspaceValue', 'workspaceFolderValue'] as const).reduce((policy, level) => {
    const servers = readServers(level);
    const deny = readStrings(Setting.toolDenyList, level);
    const trusted = readStrings(Setting.toolTrustReadOnlyHint, level);
    const perMinute = readLimit(Setting.toolMaxCallsPerMinute, level);
    const perAnswer = readLimit(Setting.toolMaxCallsPerAnswer, level);
    const taint = readTaint(level);
    return tighten(policy, {
      ...(servers && { servers }),
      ...(deny && { deny }),
      ...(trusted && { trustReadOnlyHint: trusted }),
      ...(perMinute !== undefined && { maxCallsPerMinute: perMinute }),
      ...(perAnswer !== undefined && { maxCallsPerAnswer: perAnswer }),
      ...(taint && { taint }),
    });
  }, user);
}

/** What Enter does in a confirmation; only the person's own settings count. */
export function readDefaultChoice(): DefaultChoice {
  const value = read(Setting.toolDefaultChoice, 'globalValue');
  return value === 'edit' || value === 'allow' ? value : 'deny';
}

/** What the audit log keeps of arguments. */
export function readKeptArguments(): 'redacted' | 'hashes' {
  return vscode.workspace.getConfiguration().get(Setting.toolLogArguments) === 'hashes'
    ? 'hashes'
    : 'redacted';
}

type Level = 'globalValue' | 'workspaceValue' | 'workspaceFolderValue';

function read(key: string, level: Level): unknown {
  return vscode.workspace.getConfiguration().inspect<unknown>(key)?.[level];
}

function readServers(level: Level): Readonly<Record<string, ServerPolicy>> | undefined {
  const value = read(Setting.toolServerPolicy, level);
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value).flatMap(([id, policy]) => {
    const known = serverPolicies.find((each) => each === policy);
    return known ? [[id, known] as const] : [];
  });
  return Object.fromEntries(entries);
}

function readStrings(key: string, level: Level): readonly string[] | undefined {
  const value = read(key, level);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

function readLimit(key: string, level: Level): number | undefined {
  const value = read(key, level);
  return typeof value === 'number' && value >= 0 ? value : undefined;
}

function readTaint(level: Level): ToolPolicy['taint'] | undefined {
  const value = read(Setting.toolTaint, level);
  return value === 'declared' || value === 'assumed' || value === 'off' ? value : undefined;
}
