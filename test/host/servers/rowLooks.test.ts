import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Server } from '../../../src/mcp/server';
import { pickDocuments } from '../../../src/resources/documents/openResource';
import { toDocuments } from '../../../src/resources/documents/resourceDocument';
import { createServerNode } from '../../../src/tree/serverNode';
import { createSectionNode } from '../../../src/tree/sectionNode';
import { toolSection } from '../../../src/tools/toolSection';
import { createLogs, maxChannels } from '../../../src/ui/logs';
import { rowsPerPage, type TreeNode } from '../../../src/ui/tree';
import { makeIcon } from '../../fixtures/demoServer/resources/media';

const parent: TreeNode = { id: 'top', parent: undefined, item: () => new vscode.TreeItem('') };

describe('what a server wrote', () => {
  it('is plain in the tooltip of a list, hidden characters shown', () => {
    const tools = { items: [], status: 'failed', error: 'no \u202Eway', problems: ['bad \u200B'] };
    const server = { tools } as unknown as Server;
    const { tooltip } = createSectionNode('tools', { rows: () => [] }, server, parent).item();
    assert.equal(tooltip, 'Tools\n\nno ⟨U+202E⟩way\n\nbad ⟨U+200B⟩');
  });

  it('may be missed while the stream of its messages cannot be opened, which its row says', () => {
    const list = { items: [], status: 'empty', problems: [] };
    const lists = { tools: list, prompts: list, resources: list, resourceTemplates: list };
    const definition = { config: { type: 'http', url: 'https://a/' }, source: { label: 'test' } };
    const info = { protocolVersion: '2025-11-25', capabilities: {} };
    const itemOf = (more: object) => {
      const state = { kind: 'running', info, ...more };
      const server = { id: 'a', name: 'a', definition, state, ...lists } as unknown as Server;
      const section = { rows: () => [] };
      const sections = { tools: section, prompts: section, resources: section };
      return createServerNode(server, { ...sections, resourceTemplates: section }).item();
    };
    assert.equal(itemOf({}).description, 'test');
    const { description, tooltip } = itemOf({ deaf: 'none' });
    assert.equal(description, 'Changes are not heard, trying again · test');
    assert.match(typeof tooltip === 'string' ? tooltip : '', /may be out of date/);
    assert.equal(itemOf({ deaf: 'some' }).description, 'Announces only some changes · test');
  });

  it('is no icon in the name of a document', async () => {
    const names = ['$(lock) a', '$(lock) b'];
    const contents = names.map((name) => ({ uri: `x:/${encodeURI(name)}`, text: '' }));
    const found = toDocuments('x:/', { contents }).map((document) => {
      return { uri: vscode.Uri.parse('x:/'), document };
    });
    const original = vscode.window.showQuickPick;
    let labels: readonly string[] = [];
    const show = (items: readonly vscode.QuickPickItem[]) => {
      labels = items.map(({ label }) => label);
      return Promise.resolve(undefined);
    };
    Object.assign(vscode.window, { showQuickPick: show });
    try {
      const target = { server: {} as Server, resource: { uri: 'x:/', name: 'x' } };
      assert.deepEqual(await pickDocuments(found, target), []);
    } finally {
      Object.assign(vscode.window, { showQuickPick: original });
    }
    assert.equal(labels.length, 3);
    assert.ok(labels.every((label) => !label.includes('$(')));
  });

  it('is an icon only where the image itself came with it', () => {
    const tool = { name: 'a', inputSchema: {} };
    const iconOf = (src: string) => {
      const items = [{ ...tool, icons: [{ src }] }];
      const [row] = toolSection.rows({ tools: { items } } as unknown as Server, parent);
      return row?.item().iconPath;
    };
    const usual = iconOf('https://example.com/icon.png');
    assert.ok(usual instanceof vscode.ThemeIcon);
    const { src } = makeIcon();
    const shown = iconOf(src);
    assert.ok(shown && typeof shown === 'object' && 'light' in shown);
    assert.equal(shown.light.toString(true), src);
    assert.equal(shown.dark.toString(true), src);
  });

  it('comes in pages where it is much, whose end says how much more there is', () => {
    const items = Array.from({ length: 2 * rowsPerPage + 1 }, (_, i) => ({
      name: `${i}`,
      inputSchema: {},
    }));
    const tools = { items, status: 'loaded', problems: [] };
    const node = createSectionNode('tools', toolSection, { tools } as unknown as Server, parent);
    const shown = () => (node.children?.() ?? []) as readonly TreeNode[];
    assert.equal(shown().length, rowsPerPage + 1);
    const label = () => shown().at(-1)?.item().label;
    assert.equal(label(), `Show more (${rowsPerPage + 1} left)`);
    node.showMore?.();
    assert.equal(label(), 'Show more (1 left)');
    node.showMore?.();
    assert.equal(shown().length, items.length);
  });

  it('is logged by thousands of servers in a bounded number of channels', () => {
    const original = vscode.window.createOutputChannel;
    let made = 0;
    const lines: string[] = [];
    const create = (name: string) => {
      made += 1;
      return {
        info: (text: string) => lines.push(`${name}|${text}`),
        onDidChangeLogLevel: () => ({ dispose() {} }),
        dispose() {},
      };
    };
    Object.assign(vscode.window, { createOutputChannel: create });
    try {
      const logs = createLogs();
      for (let i = 0; i < 2 * maxChannels; i += 1) logs.ofServer(`s${i}`).info('hello');
      logs.dispose();
    } finally {
      Object.assign(vscode.window, { createOutputChannel: original });
    }
    assert.equal(made, maxChannels + 1);
    assert.equal(lines.at(-1), `MCP Workbench|s${2 * maxChannels - 1}: hello`);
  });
});
