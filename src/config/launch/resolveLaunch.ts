import type { ServerConfig } from '../../mcp/serverConfig';
import { type ConfigLayer, type ConfigPlace, sourceKey } from '../configLayer';
import { canonicalJson } from '../../base/json';
import { rulesOf } from './kinds/rulesOf';
import type { Launch } from './launch';
import { UntrustedWorkspaceError, type LaunchSurroundings } from './launchSurroundings';
import { mapTexts, textsOf } from './launchTexts';
import { createExpand } from './variables';
import { type AdmittedLaunch, admitLaunch } from './workspaceParts';

/** A launch to ask about, and the way to run exactly that. */
export interface ResolvedLaunch {
  readonly launch: Launch;
  /** The launch without the inputs that were given, of the same reading of files: what decisions are bound to. */
  readonly bare: Launch;
  /** The inputs that decide what runs, or where: without their values, the launch is incomplete. */
  readonly decisiveInputs: readonly string[];
  /**
   * Returns what runs: {@link Launch.config} with its inputs filled in and nothing else changed. Rejects with an
   * `UntrustedWorkspaceError` if it names a part of a workspace that is not trusted.
   */
  readonly fill: (read: (input: string) => Promise<string>) => Promise<AdmittedLaunch>;
}

/** What of a server and its place decides how it is launched. */
interface LaunchedServer {
  readonly definition: { readonly config: ServerConfig; readonly name?: string };
  readonly layer: ConfigPlace & Pick<ConfigLayer, 'scope'>;
}

/**
 * Resolves to the launch of a server as it would be now. Variables are replaced once, here, and inputs only if
 * their value is `given`. Rejects with a `UserError` if something has no value or does not exist.
 */
export async function resolveLaunch(
  server: LaunchedServer,
  surroundings: LaunchSurroundings,
  given: ReadonlyMap<string, string> = new Map(),
): Promise<ResolvedLaunch> {
  // The value of a variable may look like an input: only marks that nobody can guess become one. They contain nothing
  // that would end a part of an address.
  const nonce = crypto.randomUUID();
  const once = readOnce(surroundings);
  const bare = await resolve(server, once, new Map(), nonce);
  const resolved = given.size === 0 ? bare : await resolve(server, once, given, nonce);
  return { ...resolved, bare: bare.launch };
}

/** What comes of the machine's files into a launch is read once: a file that changes in between would give two launches. */
function readOnce(surroundings: LaunchSurroundings): LaunchSurroundings {
  const { programs } = surroundings;
  if (!programs) return surroundings;
  const known = new Map<string, Promise<unknown>>();
  const once = <T>(key: unknown, read: () => Promise<T>) => {
    const text = canonicalJson(key);
    const reading = (known.get(text) as Promise<T> | undefined) ?? read();
    known.set(text, reading);
    return reading;
  };
  const { locate, confine, readVariables } = programs;
  return {
    ...surroundings,
    programs: {
      ...programs,
      locate: (config, t) => {
        const { command, cwd, env, inheritEnvironment, foldersLeftOut } = config;
        // Nothing else decides where a command is.
        const path = Object.entries(env).filter(([name]) => /^PATH(?:EXT)?$/i.test(name));
        const key = ['locate', command, cwd, path, inheritEnvironment, foldersLeftOut];
        return once(key, () => locate(config, t));
      },
      confine: (config) => {
        const { command, cwd, sandbox } = config;
        return once(['confine', command, cwd, sandbox], () => confine(config));
      },
      readVariables: (file) => once(['variables', file], () => readVariables(file)),
    },
  };
}

async function resolve(
  { definition, layer }: LaunchedServer,
  surroundings: LaunchSurroundings,
  given: ReadonlyMap<string, string>,
  nonce: string,
): Promise<Omit<ResolvedLaunch, 'bare'>> {
  const mark = new RegExp(`<${nonce}-([^>]*)>`, 'g');
  const { config: written, name: serverName = '' } = definition;
  const expand = createExpand({
    env: surroundings.env,
    userHome: surroundings.programs?.home,
    pathSeparator: surroundings.programs?.separator ?? '/',
    workspaceFolder: (name) => variableFolder(name, layer.folder?.uri, surroundings),
    t: surroundings.t,
    input: (id) => Promise.resolve(given.get(id) ?? `<${nonce}-${encodeURIComponent(id)}>`),
  });
  const rules = rulesOf(written);
  const isOpen = (text: string | undefined) => text !== undefined && text.search(mark) >= 0;
  const marked = await rules.complete(await mapTexts(written, expand), {
    surroundings,
    base: (home) => baseOf(layer, surroundings, home),
    isOpen,
  });
  const replace = async (text: string, value: (id: string) => Promise<string>) => {
    const ids = Array.from(text.matchAll(mark), ([, id = '']) => decodeURIComponent(id));
    const values = await Promise.all(ids.map(value));
    return text.replaceAll(mark, () => values.shift() ?? '');
  };
  const fill = async (value: (id: string) => Promise<string>) => {
    const filled = await mapTexts(marked, (text) => replace(text, value));
    rules.check?.(filled, surroundings.t);
    return admitLaunch(filled, rules.local(filled), surroundings);
  };
  return {
    launch: {
      serverName,
      place: sourceKey(layer),
      config: await fill((id) => Promise.resolve(`\${input:${id}}`)),
      written,
      markKey: surroundings.markKey,
    },
    decisiveInputs: textsOf(marked)
      .map(rules.decides(marked))
      .flatMap((text) => Array.from(text.matchAll(mark), ([, id = '']) => decodeURIComponent(id))),
    fill,
  };
}

function variableFolder(
  name: string | undefined,
  own: string | undefined,
  { folders, isTrusted }: LaunchSurroundings,
): string | undefined {
  if (!isTrusted) throw new UntrustedWorkspaceError('${workspaceFolder}');
  return findFolder(name, own, folders);
}

/** Returns the path of the folder that `${workspaceFolder}` or `${workspaceFolder:name}` stands for. */
export function findFolder(
  name: string | undefined,
  own: string | undefined,
  folders: LaunchSurroundings['folders'],
): string | undefined {
  return folders.find(({ uri, name: known }) =>
    name === undefined ? own === undefined || uri === own : known === name,
  )?.path;
}

/** Returns the folder that relative paths refer to. A user's own server has nothing to do with the open folder. */
function baseOf(
  { scope, folder }: LaunchedServer['layer'],
  { folders }: LaunchSurroundings,
  home: string,
): string {
  if (scope === 'user') return home;
  return folders.find(({ uri }) => !folder || uri === folder.uri)?.path ?? home;
}
