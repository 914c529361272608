import { asRecord, isRecord, type JsonRecord, changeTexts } from '../../../base/json';
import type { Translate } from '../../../base/translate';
import {
  inputIdOf,
  inputReference,
  inputsIn,
  toMcpJson,
  type ImportedServer,
  type InputEntry,
} from '../../add/importedServer';
import { unusableServer } from '../serverTable';
import { type PluginFolders, type PluginServers, expandPlugin } from './agentPlugin';

/**
 * Reads the servers of a plugin as Claude Code and the Copilot CLI do: those in its files, then those in its manifest,
 * which win if both have the same name.
 */
export function readCliPlugin(
  manifest: JsonRecord,
  files: readonly JsonRecord[],
  folders: PluginFolders,
  t: Translate,
): PluginServers {
  const plugin = typeof manifest['name'] === 'string' ? manifest['name'] : 'plugin';
  const inline = isRecord(manifest['mcpServers']) ? [manifest['mcpServers']] : [];
  const found = new Map(
    [...files.map(serversOf), ...inline].flatMap((servers) => Object.entries(servers)),
  );
  const servers: ImportedServer[] = [];
  const problems: string[] = [];
  // What the user is asked for once, for all servers of the plugin.
  const asked = new Map<string, InputEntry>();
  for (const [name, value] of found) {
    const filled = withInputs(
      expandPlugin(value, folders),
      plugin,
      asRecord(manifest['userConfig']),
      asked,
    );
    const server = toMcpJson(inRoot(asRecord(filled), folders.root), 'ms');
    const inputs = inputsIn(server).flatMap((id) => asked.get(id) ?? []);
    if (server) servers.push({ name, server, ...(inputs.length > 0 && { inputs }) });
    else problems.push(unusableServer(name)(t));
  }
  return { servers, problems };
}

/** The servers in a file, which may consist of nothing else. */
function serversOf(file: JsonRecord): JsonRecord {
  return asRecord(file['mcpServers'] ?? file['servers'] ?? file);
}

/** Turns what the application asks its user for into inputs, and the project into the workspace folder. */
function withInputs(
  value: unknown,
  plugin: string,
  wanted: JsonRecord,
  asked: Map<string, InputEntry>,
): unknown {
  return changeTexts(value ?? null, (part) =>
    part
      .replaceAll('${CLAUDE_PROJECT_DIR}', '${workspaceFolder}')
      .replaceAll(/\$\{user_config\.([\w-]+)\}/g, (_mark, key: string) => {
        const { title, description, default: initial, sensitive } = asRecord(wanted[key]);
        const id = inputIdOf(plugin, key);
        const known = asked.get(id);
        if (known) return inputReference(id);
        asked.set(id, {
          id,
          type: 'promptString',
          description: [title, description].find((one) => typeof one === 'string') ?? key,
          password: sensitive === true,
          ...(typeof initial === 'string' && { default: initial }),
        });
        return inputReference(id);
      }),
  );
}

function inRoot(entry: JsonRecord, root: string): JsonRecord {
  const path = (one: unknown) =>
    typeof one === 'string' && one.startsWith('./') ? root + one.slice(1) : one;
  const { command, cwd } = entry;
  return {
    ...entry,
    ...(command !== undefined && { command: path(command) }),
    ...(cwd !== undefined && { cwd: path(cwd) }),
  };
}
