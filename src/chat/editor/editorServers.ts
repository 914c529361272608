import * as vscode from 'vscode';
import { signalOf } from '../../base/async';
import type { Launches } from '../../config/launch/prepare';
import type { Server, Servers } from '../../mcp/server';
import type { HttpServerConfig, ServerConfig } from '../../mcp/serverConfig';
import { offerServers } from '../../ui/editorChat';
import { Setting } from '../../ui/ids';
import { onDidChangeSettings, readSetting } from '../../ui/settings/readSetting';

/** The id under which the manifest declares our servers to the editor's own client. */
export const editorServersId = 'mcpWorkbench.servers';

/**
 * Hands our servers to the editor's own client if the setting says so; servers that are not trusted do not start
 * there, either.
 */
export function registerEditorServers(
  servers: Servers,
  launches: Pick<Launches, 'handOver'>,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const fire = () => changed.fire();
  const isOn = () => readSetting(Setting.provideToEditor);
  const subscription = servers.onDidChange(() => {
    if (isOn()) fire();
  });
  return vscode.Disposable.from(
    changed,
    { dispose: () => subscription.dispose() },
    onDidChangeSettings([Setting.provideToEditor], fire),
    offerServers(editorServersId, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () =>
        isOn() ? servers.all.map(({ id, definition }) => toEditor(id, definition.config)) : [],
      async resolveMcpServerDefinition({ label }, token) {
        const server = servers.get(label);
        return server && isOn() ? resolve(server, launches, token) : undefined;
      },
    }),
  );
}

async function resolve(
  { id, definition }: Server,
  launches: Pick<Launches, 'handOver'>,
  token: vscode.CancellationToken,
): Promise<vscode.McpServerDefinition | undefined> {
  const launch = await launches.handOver(definition, signalOf(token));
  if ('refused' in launch) throw new Error(launch.refused);
  return toEditor(id, launch.config);
}

/**
 * Uses the id as the label, by which alone the editor knows a server: servers of two folders may have the same
 * name.
 */
function toEditor(id: string, config: ServerConfig): vscode.McpServerDefinition {
  const define = definitions[config.type] as DefinitionOf<ServerConfig>;
  return define(id, config);
}

type DefinitionOf<C extends ServerConfig> = (id: string, config: C) => vscode.McpServerDefinition;

const ofAddress: DefinitionOf<HttpServerConfig> = (id, { url, headers }) =>
  new vscode.McpHttpServerDefinition(id, vscode.Uri.parse(url), { ...headers });

/** How each kind of launch is defined for the editor. */
const definitions: { readonly [C in ServerConfig as C['type']]: DefinitionOf<C> } = {
  stdio(id, { command, args, env, cwd }) {
    const definition = new vscode.McpStdioServerDefinition(id, command, [...args], { ...env });
    if (cwd !== undefined) definition.cwd = vscode.Uri.file(cwd);
    return definition;
  },
  http: ofAddress,
  sse: ofAddress,
};
