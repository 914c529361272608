import * as vscode from 'vscode';
import type { Server } from '../../mcp/server';
import type { ServerConfig, ServerDefinition } from '../../mcp/serverConfig';
import type { Servers } from '../../mcp/servers';
import { Setting } from '../../ui/ids';
import { readSetting } from '../../ui/settings/readSetting';

/** Gives variables their values and asks for trust where it was not given yet. */
export type Prepare = (
  definition: ServerDefinition,
  signal: AbortSignal,
) => Promise<{ readonly config: ServerConfig } | { readonly refused: string }>;

/** The id that the manifest declares for the editor's own client. */
export const editorServersId = 'mcpWorkbench.servers';

/** Hands our servers to the editor's own client where the setting says so; what is not trusted is not started there either. */
export function registerEditorServers(servers: Servers, prepare: Prepare): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const fire = () => changed.fire();
  const isOn = () => readSetting(Setting.provideToEditor);
  const subscription = servers.onDidChange(fire);
  return vscode.Disposable.from(
    changed,
    { dispose: () => subscription.dispose() },
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(Setting.provideToEditor)) fire();
    }),
    vscode.lm.registerMcpServerDefinitionProvider(editorServersId, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () =>
        isOn() ? servers.all.map(({ id, definition }) => toEditor(id, definition.config)) : [],
      async resolveMcpServerDefinition({ label }, token) {
        const server = servers.get(label);
        return server && isOn() ? resolve(server, prepare, token) : undefined;
      },
    }),
  );
}

async function resolve(
  { id, definition }: Server,
  prepare: Prepare,
  token: vscode.CancellationToken,
): Promise<vscode.McpServerDefinition | undefined> {
  const controller = new AbortController();
  const subscription = token.onCancellationRequested(() => controller.abort());
  try {
    const prepared = await prepare(definition, controller.signal);
    if ('refused' in prepared) throw new Error(prepared.refused);
    return toEditor(id, prepared.config);
  } finally {
    subscription.dispose();
  }
}

/** Namesakes of two folders have one name; the editor knows a server by its label alone. */
function toEditor(id: string, config: ServerConfig): vscode.McpServerDefinition {
  if (config.type !== 'stdio')
    return new vscode.McpHttpServerDefinition(id, vscode.Uri.parse(config.url), {
      ...config.headers,
    });
  const { command, args, env, cwd } = config;
  const definition = new vscode.McpStdioServerDefinition(id, command, [...args], { ...env });
  if (cwd !== undefined) definition.cwd = vscode.Uri.file(cwd);
  return definition;
}
