import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activateWorkbench, serverNamed } from '../../support/host/hostApi';
import { poll } from '../../support/poll';
import {
  acceptUntil,
  countQuestions,
  errorsDuring,
  invoke,
  isOpen,
  latestResults,
  requests,
  sayToMcp,
  setDefaultChoice,
  textOf,
} from '../../support/host/toolsSteps';

/**
 * Returns arguments that a schema accepts: the first value of each enumeration, small numbers and short texts. Numbers
 * are there even if they are optional: that of a long operation is its duration.
 */
function sample(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = Object.entries(
    Object(schema['properties']) as Record<string, Record<string, unknown>>,
  );
  const required = new Set(schema['required'] as string[] | undefined);
  return Object.fromEntries(
    properties
      .filter(([name, { type }]) => required.has(name) || type === 'number')
      .map(([name, property]) => [name, sampleValue(property)]),
  );
}

function sampleValue(property: Record<string, unknown>): unknown {
  const values = property['enum'];
  if (Array.isArray(values)) return values[0];
  if (property['format'] === 'uri') return 'https://example.com/';
  switch (property['type']) {
    case 'number':
    case 'integer':
      return property['minimum'] ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    default:
      return 'text';
  }
}

describe('tools', function () {
  this.timeout(60_000);

  before(async () => {
    const api = await activateWorkbench();
    await api.startServer('*');
    countQuestions(true);
  });
  after(() => countQuestions(false));
  afterEach(async () => {
    await setDefaultChoice(undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('of every server are found by other chats of the editor, marked as untrusted', async () => {
    const text = textOf(await invoke('findTools', { query: 'calculate arithmetic', limit: 3 }));
    assert.match(text, /^«untrusted data \w+ from /);
    assert.match(text, /"demo__calculate"/);
  });

  it('are called for other chats once they are allowed', async () => {
    await setDefaultChoice('allow');
    const input = { name: 'demo__calculate', arguments: { operation: 'add', x: 2, y: 3 } };
    assert.match(textOf(await acceptUntil(invoke('callTool', input))), /5\.00/);
  });

  it('are not called for other chats when Enter is all that was pressed', async () => {
    const input = { name: 'demo__calculate', arguments: { operation: 'add', x: 2, y: 3 } };
    const text = textOf(await acceptUntil(invoke('callTool', input)));
    assert.match(text, /denied by the user/);
    assert.doesNotMatch(text, /5\.00/);
  });

  it('are not called with arguments that do not fit, and nobody is asked', async () => {
    const input = { name: 'demo__calculate', arguments: { operation: 'add', x: 'two', y: 3 } };
    assert.match(textOf(await invoke('callTool', input)), /"x": must be a number/);
  });

  it('that nobody offers are named', async () => {
    const text = textOf(await invoke('callTool', { name: 'demo__nothing' }));
    assert.match(text, /There is no tool "demo__nothing"/);
  });

  it('let other chats read a resource once that is allowed', async () => {
    await setDefaultChoice('allow');
    const input = { uri: 'note:abc', server: 'demo' };
    assert.match(textOf(await acceptUntil(invoke('readResource', input))), /an opaque URI/);
    await setDefaultChoice('deny');
    assert.match(textOf(await acceptUntil(invoke('readResource', input))), /denied by the user/);
  });

  it('give a long result in pieces that make up the whole', async () => {
    await setDefaultChoice('allow');
    const input = { name: 'demo__big', arguments: { bytes: 200_000 } };
    const text = textOf(await acceptUntil(invoke('callTool', input)));
    assert.ok(text.length < 60_000);
    const uri = /uri (\S+),/.exec(text)?.[1];
    assert.ok(uri);
    let whole = '';
    while (whole.length < 200_000) {
      const piece = textOf(await invoke('readResource', { uri, offset: whole.length }));
      const [, , data = ''] =
        /«untrusted data (\w+) from [^\n]*»\n?([^]*?)\n?«end of untrusted data \1»/.exec(piece) ??
        [];
      assert.ok(data, piece);
      whole += data;
    }
    assert.equal(whole, '0123456789abcdef'.repeat(12_500));
  });

  it('run from a command with the arguments that are given, through form and gate', async () => {
    await setDefaultChoice('allow');
    const target = {
      server: 'demo',
      tool: 'calculate',
      arguments: { operation: 'multiply', x: 6, y: 7 },
    };
    await acceptUntil(vscode.commands.executeCommand('mcpWorkbench.runTool', target));
    assert.equal(vscode.window.activeTextEditor?.document.getText(), '42.00');
  });

  it('refuse a command for a tool that is not there', async () => {
    const target = { server: 'demo', tool: 'nothing' };
    const told = await errorsDuring(() =>
      vscode.commands.executeCommand('mcpWorkbench.runTool', target),
    );
    assert.deepEqual(told, ['The server "demo" offers no tool "nothing".']);
  });

  it('called by the model of @mcp give it exactly the result of the arguments edited under CodeLens', async () => {
    await setDefaultChoice('edit');
    await vscode.commands.executeCommand('demoModel.clear');
    await sayToMcp('call echo {"said":"by the model"}');
    const document = await poll('the document of the arguments', 30_000, async () => {
      const open = vscode.window.activeTextEditor?.document;
      if (open?.uri.scheme === 'mcp-workbench-input') return open;
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return undefined;
    });
    const edit = new vscode.WorkspaceEdit();
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    edit.replace(document.uri, whole, '{"said": "by the user"}');
    await vscode.workspace.applyEdit(edit);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    const allowOnce = lenses.find(({ command }) => command?.title.includes('Allow Once'))?.command;
    assert.ok(allowOnce);
    await vscode.commands.executeCommand(allowOnce.command, ...(allowOnce.arguments ?? []));
    const results = await poll('the result at the model', 30_000, async () => {
      const text = await latestResults();
      return text.includes('toolResult') ? text : undefined;
    });
    assert.match(results, /\{\\"said\\":\\"by the user\\"\}/);
    assert.doesNotMatch(results, /by the model/);
  });

  it('are sent to the model of @mcp with what the servers say of themselves, marked as theirs', async () => {
    await vscode.commands.executeCommand('demoModel.clear');
    await sayToMcp('hello');
    const [request] = await poll('the request', 30_000, async () => {
      const all = await requests();
      return all.length > 0 ? all : undefined;
    });
    const names = request?.tools.map(({ name }) => name) ?? [];
    assert.ok(names.includes('demo__calculate') && names.includes('readResource'));
    const first = JSON.stringify(request?.messages[0]);
    assert.match(first, /untrusted data \w+ from the server demo»/);
    assert.match(first, /read_note/);
  });

  it('of server-everything run through the form and the gate, all of them', async function () {
    this.timeout(120_000);
    await setDefaultChoice('allow');
    const { tools } = serverNamed(await activateWorkbench(), 'everything');
    assert.ok(tools.length > 5);
    for (const { name, inputSchema } of tools) {
      const target = { server: 'everything', tool: name, arguments: sample(inputSchema) };
      await acceptUntil(vscode.commands.executeCommand('mcpWorkbench.runTool', target));
      await poll(`the result of ${name}`, 10_000, () => Promise.resolve(isOpen(name)));
    }
  });
});
