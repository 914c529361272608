import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import { activateWorkbench, until } from '../../support/host/hostApi';
import { answer, preview, set } from './promptRuns';

interface Manifest {
  readonly main?: string;
  readonly contributes: { readonly commands: { command: string; title: string }[] };
}

function manifest(): Manifest | undefined {
  return vscode.extensions.getExtension('mcp-workbench.mcp-workbench-prompts')?.packageJSON;
}

function titles(): readonly string[] {
  return manifest()?.contributes.commands.map(({ title }) => title) ?? [];
}

async function entries(accept: () => boolean): Promise<void> {
  await until(vscode.extensions.onDidChange, accept);
}

describe('prompts in the command palette', function () {
  this.timeout(60_000);
  let api: WorkbenchApi;

  before(async () => {
    api = await activateWorkbench();
    await api.startServer('*');
    await set('prompts.preview', 'always');
  });

  after(async () => {
    await set('prompts.preview', undefined);
    await set('palette', undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('are entries of an extension without code', async () => {
    const { withProgress } = vscode.window;
    const told: (string | undefined)[] = [];
    vscode.window.withProgress = (options, task) => {
      told.push(options.title);
      return withProgress(options, task);
    };
    try {
      await vscode.commands.executeCommand('mcpWorkbench.addPromptsToPalette');
      await entries(() => titles().includes('Show Media'));
    } finally {
      vscode.window.withProgress = withProgress;
    }
    assert.ok(told.includes('Updating the prompts of the Command Palette…'));
    assert.equal(manifest()?.main, undefined);
    assert.ok(titles().includes('Team Management'));
  });

  it('are entries of an extension with an icon, which says in words what it is', async () => {
    const own = vscode.extensions.getExtension('mcp-workbench.mcp-workbench-prompts');
    assert.ok(own);
    const read = (name: string) =>
      vscode.workspace.fs.readFile(vscode.Uri.joinPath(own.extensionUri, name));
    assert.ok((await read(String(own.packageJSON.icon))).length > 0);
    assert.match((await read('README.md')).toString(), /MCP Workbench/);
  });

  it('run when their entry is chosen', async () => {
    const entry = manifest()?.contributes.commands.find(({ title }) => title === 'Show Media');
    assert.ok(entry);
    const { command } = entry;
    const { running, document } = await preview(() => vscode.commands.executeCommand(command));
    await answer(document, 'copy');
    await running;
  });

  it('come with a server and go with it', async () => {
    const extension = vscode.extensions.getExtension('mcp-workbench.mcp-workbench');
    const script = `${extension?.extensionPath}/out/fixtures/demoServer/main.js`;
    const args = [script, '--prompts', '1'];
    await set('servers', { generated: { type: 'stdio', command: 'node', args } });
    await until(api.onDidChangeServers, () => api.servers.some(({ name }) => name === 'generated'));
    await api.startServer('*');
    await entries(() => titles().includes('Generated Prompt 0'));
    await set('servers', undefined);
    await entries(() => !titles().includes('Generated Prompt 0'));
    assert.ok(titles().includes('Show Media'));
  });

  it('are all gone once they are removed', async () => {
    await vscode.commands.executeCommand('mcpWorkbench.removePromptsFromPalette');
    await entries(() => !manifest());
    const commands = await vscode.commands.getCommands(true);
    assert.deepEqual(
      commands.filter((command) => command.startsWith('mcpWorkbench.prompt.')),
      [],
    );
  });
});
