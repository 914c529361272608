import type { inheritances } from '../../mcp/serverConfig';
import { Setting } from '../ids';
import { showModes } from '../questions/question';

/** The key of one of our settings. */
export type SettingKey = (typeof Setting)[keyof typeof Setting];

/** How one setting is read, and what becomes of it if a workspace sets it, too. */
export interface SettingRule<T> {
  /**
   * Whose value counts: only the user's (`user`), a workspace's if it is stricter (`tightens`), a workspace's once the
   * user has agreed to it (`asked`), the closest one, because it has no consequences by itself (`free`), or that for the
   * servers of the workspace alone (`place`).
   */
  readonly reach: 'user' | 'tightens' | 'asked' | 'free' | 'place';
  readonly fallback: T;
  /** Returns the value as far as it makes sense, else `undefined`. */
  readonly read: (value: unknown) => T | undefined;
  /** Returns the value in force if a workspace sets `workspace` on top of `before`. */
  readonly merge: (before: T, workspace: T) => T;
}

/** What happens to a call of a server's tool when nothing else decides, loosest first. */
export const serverPolicies = ['allow', 'ask', 'deny'] as const;

/** One of {@link serverPolicies}. */
export type ServerPolicy = (typeof serverPolicies)[number];

/**
 * Whose results taint a conversation, loosest first: none, those of resources and other servers, also those of tools
 * that declare an open world, or all.
 */
export const taintSources = ['off', 'otherServers', 'declared', 'assumed'] as const;

/** One of {@link taintSources}. */
export type TaintSource = (typeof taintSources)[number];

/** When a server is started, loosest first. */
export const autostarts = ['always', 'onDemand', 'never'] as const;

/** One of {@link autostarts}. */
export type Autostart = (typeof autostarts)[number];

/** The places besides the settings that servers are read from, from the farthest to the closest. */
export const serverPlaces = [
  'workspaceFile',
  'copilot',
  'github',
  'mcpJson',
  'devcontainer',
  'vscode',
] as const;

/** Names, each with a list of other names. */
export type NameLists = Readonly<Record<string, readonly string[]>>;

/** The rule of every setting: no setting is read without its rule. */
export const settingRules = {
  [Setting.palette]: userOnly(oneOf(['ask', 'all', 'pinned', 'off']), 'ask'),
  [Setting.promptPreview]: userOnly(oneOf(['always', 'firstTime', 'never']), 'firstTime'),
  // Every configured server is asked about before it runs, wherever it is configured.
  [Setting.servers]: free(any, {}),
  [Setting.inputs]: free(any, []),
  [Setting.places]: userOnly<readonly string[]>(strings, serverPlaces),
  [Setting.registry]: userOnly<string>(text, 'https://registry.modelcontextprotocol.io'),
  [Setting.identityProviders]: userOnly<Readonly<Record<string, unknown>>>(mapOf(any), {}),
  [Setting.inheritEnvironment]: strictest(['all', 'safe', 'none'] satisfies Inheritances, 'safe'),
  [Setting.autostart]: strictest(autostarts, 'onDemand'),
  [Setting.autostartServers]: tightens(
    mapOf(oneOf(autostarts)),
    {},
    mergeEach(strictestOf(autostarts)),
  ),
  // A debugger is part of the launch, which is asked about.
  [Setting.development]: ofPlace<Readonly<Record<string, unknown>>>(
    mapOf(any),
    {},
    mergeEach<unknown>((_before, workspace) => workspace),
  ),
  [Setting.showQuestions]: userOnly(oneOf(showModes), 'whenIdle'),
  [Setting.samplingRequestsPerHour]: userOnly(atLeast(0), 20),
  [Setting.samplingTokensPerHour]: userOnly(atLeast(0), 50_000),
  [Setting.hiddenRoots]: tightens<NameLists>(mapOf(strings), {}, mergeEach(union)),
  [Setting.addedRoots]: asked(list, []),
  [Setting.refreshOnFocus]: free(boolean, false),
  [Setting.toolServerPolicy]: tightens(mapOf(oneOf(serverPolicies)), {}, (before, workspace) =>
    // Servers that nobody mentions are asked about: no workspace makes that looser.
    mergeEach(strictestOf(serverPolicies))({ ...askFor(workspace), ...before }, workspace),
  ),
  [Setting.toolDenyList]: tightens<readonly string[]>(strings, [], union),
  [Setting.toolAskList]: tightens<readonly string[]>(strings, [], union),
  [Setting.toolTrustReadOnlyHint]: tightens<readonly string[]>(strings, [], (before, workspace) =>
    before.filter((id) => workspace.includes(id)),
  ),
  [Setting.toolMaxCallsPerMinute]: tightens(atLeast(0), 60, Math.min),
  [Setting.toolMaxCallsPerAnswer]: tightens(atLeast(0), 50, Math.min),
  [Setting.toolTaint]: strictest(taintSources, 'otherServers'),
  [Setting.toolDefaultChoice]: userOnly(oneOf(['deny', 'edit', 'allow']), 'deny'),
  [Setting.toolLogArguments]: userOnly(oneOf(['redacted', 'hashes']), 'redacted'),
  [Setting.chatMaxRounds]: tightens(atLeast(1), 25, Math.min),
  [Setting.chatMaxTools]: tightens(atLeast(1), 64, Math.min),
  [Setting.chatMaxResultLength]: tightens(atLeast(1), 50_000, Math.min),
  [Setting.agentMaxTools]: userOnly<Readonly<Record<string, number>>>(mapOf(atLeast(0)), {}),
  [Setting.agentHttp]: userOnly(boolean, false),
  [Setting.provideToEditor]: userOnly(boolean, false),
  [Setting.openApps]: strictest(['always', 'ask', 'never'] as const, 'ask'),
  [Setting.appTabs]: free(oneOf(['perTool', 'perCall']), 'perTool'),
  [Setting.tracesEnabled]: userOnly(boolean, false),
  [Setting.tracesEndpoint]: userOnly<string>(text, ''),
  [Setting.tracesContent]: userOnly(boolean, false),
} satisfies Readonly<Record<SettingKey, object>>;

/** The type of a setting's value. */
export type SettingValue<K extends SettingKey> =
  (typeof settingRules)[K] extends SettingRule<infer T> ? T : never;

/** Returns the value in force, given the values of the user and of each level of a workspace. */
export function mergeLevels<T>(
  { reach, fallback, read, merge }: SettingRule<T>,
  user: unknown,
  workspace: readonly unknown[],
): T {
  const own = read(user) ?? fallback;
  if (reach === 'user' || reach === 'asked') return own;
  return workspace.reduce<T>((before, level) => {
    const said = read(level);
    return said === undefined ? before : merge(before, said);
  }, own);
}

/** Returns when a server starts: the strictest of what each level says about it, or else about all servers. */
export function mergeAutostart(
  name: string,
  [user, ...workspace]: readonly { readonly all: unknown; readonly single: unknown }[],
): Autostart {
  const said = (level: { readonly all: unknown; readonly single: unknown } | undefined) => {
    const single = settingRules[Setting.autostartServers].read(level?.single) ?? {};
    const all = settingRules[Setting.autostart].read(level?.all);
    return (Object.hasOwn(single, name) ? single[name] : undefined) ?? all;
  };
  return mergeLevels(settingRules[Setting.autostart], said(user), workspace.map(said));
}

type Inheritances = readonly (typeof inheritances)[number][];
type Read<T> = (value: unknown) => T | undefined;

function userOnly<const T>(read: Read<T>, fallback: T): SettingRule<T> {
  return { reach: 'user', fallback, read, merge: (before) => before };
}

function asked<T>(read: Read<T>, fallback: T): SettingRule<T> {
  return { reach: 'asked', fallback, read, merge: (before) => before };
}

function free<T>(read: Read<T>, fallback: T): SettingRule<T> {
  return { reach: 'free', fallback, read, merge: (_before, workspace) => workspace };
}

function ofPlace<T>(
  read: Read<T>,
  fallback: T,
  merge: (before: T, workspace: T) => T,
): SettingRule<T> {
  return { reach: 'place', fallback, read, merge };
}

function tightens<T>(
  read: Read<T>,
  fallback: T,
  merge: (before: T, workspace: T) => T,
): SettingRule<T> {
  return { reach: 'tightens', fallback, read, merge };
}

function strictest<T>(loosestFirst: readonly T[], fallback: NoInfer<T>): SettingRule<T> {
  return tightens(oneOf(loosestFirst), fallback, strictestOf(loosestFirst));
}

function strictestOf<T>(loosestFirst: readonly T[]): (a: T, b: T) => T {
  return (a, b) => (loosestFirst.indexOf(a) > loosestFirst.indexOf(b) ? a : b);
}

function mergeEach<T>(merge: (before: T, workspace: T) => T) {
  return (before: Readonly<Record<string, T>>, workspace: Readonly<Record<string, T>>) => {
    const merged = new Map(Object.entries(before));
    for (const [name, value] of Object.entries(workspace)) {
      const known = merged.get(name);
      merged.set(name, known === undefined ? value : merge(known, value));
    }
    return Object.fromEntries(merged) as Readonly<Record<string, T>>;
  };
}

function askFor(servers: object): Readonly<Record<string, ServerPolicy>> {
  return Object.fromEntries(Object.keys(servers).map((id) => [id, 'ask'] as const));
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return [...new Set([...a, ...b])];
}

function oneOf<const T>(known: readonly T[]): Read<T> {
  return (value) => known.find((each) => each === value);
}

function atLeast(minimum: number): Read<number> {
  return (value) => (typeof value === 'number' && value >= minimum ? value : undefined);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function boolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function strings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
}

function list(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? (value as readonly unknown[]) : undefined;
}

function any(value: unknown): unknown {
  return value ?? undefined;
}

function mapOf<T>(read: Read<T>): Read<Readonly<Record<string, T>>> {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, part]) => {
        const known = read(part);
        return known === undefined ? [] : [[name, known] as const];
      }),
    );
  };
}
