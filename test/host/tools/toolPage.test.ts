import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Tool } from '../../../src/mcp/protocol/types';
import { toolSection } from '../../../src/tools/toolSection';
import type { TreeNode } from '../../../src/ui/tree';
import { fakeServer, tool } from '../../support/fakes/fakeServer';
import { activateWorkbench, until } from '../../support/host/hostApi';
import { poll } from '../../support/poll';

const { executeCommand } = vscode.commands;

describe('the page of a tool in the editor', function () {
  this.timeout(60_000);
  before(() => activateWorkbench());
  afterEach(() => executeCommand('workbench.action.closeAllEditors'));

  const opened = () => vscode.window.activeTextEditor?.document;

  /** Opens the page of a tool from its row; `closed` resolves once it is closed. */
  const openPage = async (name: string, inputSchema: Tool['inputSchema']) => {
    const server = fakeServer({ tools: [tool({ name, inputSchema })] });
    const [row] = toolSection.nodes(server, { id: 'tools' } as TreeNode, 10);
    const closed = executeCommand('mcpWorkbench.showToolDefinition', row);
    const isPage = () => opened()?.uri.path.endsWith(`${name}.arguments.jsonc`) === true;
    await until(vscode.window.onDidChangeActiveTextEditor, isPage);
    const document = opened();
    assert.ok(document);
    return { server, document, closed };
  };

  it('opens from its row, with what can be done above it, and its definition beside it', async () => {
    const inputSchema = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
    const { server, document, closed } = await openPage('paged', inputSchema);
    assert.match(document.getText(), /"a": ""/);
    const lenses = await executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    const titles = lenses.map(({ command }) => command?.title.replace(/^\$\([\w-]+\)\s/, ''));
    assert.deepEqual(titles, [`Run on ${server.name}`, 'Copy Definition', 'Definition']);
    const { command, arguments: args = [] } = lenses.at(-1)?.command ?? {};
    await executeCommand(command ?? '', ...(args as unknown[]));
    const isDefinition = () => opened()?.uri.path.endsWith('definition.json') === true;
    await until(vscode.window.onDidChangeActiveTextEditor, isDefinition);
    assert.match(opened()?.getText() ?? '', /"inputSchema": \{/);
    await executeCommand('workbench.action.closeAllEditors');
    await closed;
  });

  it('completes `_meta` beside the arguments, which the tool itself does not take', async () => {
    const inputSchema = { type: 'object', properties: {}, additionalProperties: false };
    const { document, closed } = await openPage('bare', inputSchema);
    assert.match(document.getText(), /\/\/ Can be added: _meta\n/);
    const end = document.positionAt(document.getText().lastIndexOf('}'));
    await poll('the completion', 20_000, async () => {
      const { items } = await executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        end,
      );
      return items.some(({ label }) => label === '_meta') || undefined;
    });
    await executeCommand('workbench.action.closeAllEditors');
    await closed;
  });
});
