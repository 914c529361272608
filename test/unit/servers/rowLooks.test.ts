import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createChangesNode, maxRows } from '../../../src/development/changeNodes';
import type { Surface } from '../../../src/development/surface/compareSurfaces';
import { Emitter } from '../../../src/base/event';
import { maxTooltipLength } from '../../../src/base/text/text';
import type { Server } from '../../../src/mcp/server';
import { pickDocuments } from '../../../src/resources/documents/openResource';
import { createPromptSection } from '../../../src/prompts/promptSection';
import { toDocuments } from '../../../src/resources/documents/resourceDocument';
import { createServerNode } from '../../../src/tree/serverNode';
import { createSectionNode } from '../../../src/tree/sectionNode';
import { toolSection } from '../../../src/tools/toolSection';
import { createLogs, maxChannels } from '../../../src/ui/logs';
import { rowsPerPage, type TreeNode, type TreeSection } from '../../../src/ui/tree';
import { makeIcon } from '../../fixtures/demoServer/resources/media';
import { fakeServer, noNotes, tool as toolOf } from '../../support/fakes/fakeServer';
import { byUser, type UserAction } from '../../../src/ui/questions/question';
import type { Questions } from '../../../src/ui/questions/questions';

const parent: TreeNode = { id: 'top', parent: undefined, item: () => new vscode.TreeItem('') };

/** The row of a running server that offers nothing. */
function runningNode(more: object) {
  const info = { protocolVersion: '2025-11-25', capabilities: {} };
  return nodeIn({ kind: 'running', info, ...more });
}

/** The row of a server in this state that offers nothing. */
function nodeIn(state: object, more: object = {}) {
  const list = { items: [], status: 'empty', problems: [] };
  const kinds = ['tools', 'prompts', 'resources', 'resourceTemplates', 'skills'] as const;
  const lists = Object.fromEntries(kinds.map((kind) => [kind, list]));
  const config = { type: 'http', url: 'https://a/' };
  const definition = { config, source: { label: 'test' }, ...more };
  const server = { id: 'a', name: 'a', definition, state, ...lists } as unknown as Server;
  const section = { nodes: () => [] };
  const sections = { tools: section, prompts: section, resources: section };
  const all = { ...sections, resourceTemplates: section, skills: section };
  return createServerNode(server, all, noNotes);
}

describe('the hover of a server', () => {
  for (const [capabilities, line] of [
    [{}, undefined],
    [{ tools: {}, logging: {} }, 'Capabilities: tools, logging'],
    [
      { resources: { subscribe: true, listChanged: false }, tasks: { list: {}, requests: {} } },
      'Capabilities: resources (subscribe), tasks (list, requests)',
    ],
    [{ extensions: { 'a.b/c': {} }, tools: undefined }, 'Capabilities: extensions (a.b/c)'],
  ] as const)
    it(`says what it declares: ${line ?? 'nothing'}`, () => {
      const info = { protocolVersion: '2025-11-25', capabilities };
      const { tooltip } = nodeIn({ kind: 'running', info }).item();
      assert.ok(typeof tooltip === 'string');
      const lines = tooltip.split('\n');
      assert.equal(
        lines.find((one) => one.startsWith('Capabilities')),
        line,
      );
      assert.ok(!lines.some((one) => one.startsWith('Client')));
      assert.ok(lines.includes('Protocol 2025-11-25'));
    });

  it('says what was withheld from it', () => {
    const info = { protocolVersion: '2025-11-25', capabilities: {} };
    const node = nodeIn({ kind: 'running', info, declared: {} }, { without: ['roots', 'tasks'] });
    const { tooltip } = node.item();
    assert.ok(typeof tooltip === 'string');
    assert.match(tooltip, /^Withheld from it: roots, tasks$/m);
  });

  it('says what this client declared to it', () => {
    const info = { protocolVersion: '2025-11-25', capabilities: { tools: {} } };
    const declared = { roots: { listChanged: true }, elicitation: { form: {}, url: {} } };
    const { tooltip } = nodeIn({ kind: 'running', info, declared }).item();
    assert.ok(typeof tooltip === 'string');
    assert.match(
      tooltip,
      /^Capabilities: tools\nClient capabilities: roots \(listChanged\), elicitation \(form, url\)$/m,
    );
  });
});

describe('the row of what changed in a server', () => {
  it('has rows for a bounded number of changes, what breaks first', () => {
    const changes = Array.from({ length: maxRows + 10 }, (_, index) => ({
      kind: 'changed' as const,
      part: 'tools' as const,
      name: `t${index}`,
      breaks: index === 105 ? ['"a" is required now.'] : [],
    }));
    const node = createChangesNode({ id: 'a' } as Server, parent, changes, undefined);
    const { label, description } = node.item();
    assert.deepEqual([label, description], ['110 changed', '1 breaking']);
    const below = (node.children?.() ?? []) as readonly TreeNode[];
    assert.equal(below.length, maxRows);
    assert.equal(below[0]?.item().label, 't105');
    assert.equal(below[0]?.item().description, '"a" is required now.');
  });

  it('stays where nothing changed since what the user compares with, which it names', () => {
    const baseline = { label: 'v1:surface.json', surface: {} as Surface };
    const { label, description } = createChangesNode(
      { id: 'a' } as Server,
      parent,
      [],
      baseline,
    ).item();
    assert.deepEqual([label, description], ['No changes', 'compared with v1:surface.json']);
  });
});

describe('what a server wrote', () => {
  it('is plain in the tooltip of a list, hidden characters shown', () => {
    const tools = { items: [], status: 'failed', error: 'no \u202Eway', problems: ['bad \u200B'] };
    const server = { tools } as unknown as Server;
    const { tooltip } = createSectionNode('tools', { nodes: () => [] }, server, parent).item();
    assert.equal(tooltip, 'Tools\n\nno ⟨U+202E⟩way\n\nbad ⟨U+200B⟩');
  });

  const long = Array.from({ length: 40 }, (_, at) => `${at}. ${'word '.repeat(20)}end`).join('\n');
  for (const [what, given, expected] of [
    ['whole', long, long],
    ['up to its bound', 'x'.repeat(2 * maxTooltipLength), 'x'.repeat(maxTooltipLength / 2 - 100)],
  ] as const)
    it(`stands ${what} in the tooltip of a row, line by line`, () => {
      const info = { protocolVersion: '2025-11-25', capabilities: {}, instructions: given };
      const rowOfTool = toolSection.nodes(
        fakeServer({ tools: [toolOf({ description: given })] }),
        parent,
      )[0];
      for (const row of [nodeIn({ kind: 'running', info }), rowOfTool]) {
        const { tooltip } = row?.item() ?? {};
        assert.ok(typeof tooltip === 'string' && tooltip.includes(expected));
        assert.ok(tooltip.length <= maxTooltipLength);
      }
    });

  it('has the title that its row may cut in the tooltip, and its name where that differs', () => {
    const title = 'Read a Great Many Things at Once and Sort Them';
    const prompts = createPromptSection(() => '', new Emitter<never>().event);
    const begin = (section: TreeSection, server: Server) => {
      const { tooltip } = section.nodes(server, parent)[0]?.item() ?? {};
      return typeof tooltip === 'string' ? tooltip.split('\n\n').slice(0, 2) : undefined;
    };
    const read = { title, name: 'read' };
    const titled = fakeServer({ tools: [toolOf(read)], prompts: [read] });
    for (const section of [toolSection, prompts])
      assert.deepEqual(begin(section, titled), [title, 'read']);
    const plain = fakeServer({ prompts: [{ name: 'read', description: 'Reads.' }] });
    assert.deepEqual(begin(prompts, plain), ['read', 'Reads.']);
  });

  it('may be missed while the stream of its messages cannot be opened, which its row says', () => {
    const itemOf = (more: object) => runningNode(more).item();
    assert.equal(itemOf({}).description, 'test');
    assert.equal(itemOf({ confinement: 'whole' }).description, 'Confined · test');
    assert.equal(itemOf({ confinement: 'part' }).description, 'Partly confined · test');
    assert.equal(itemOf({ confinement: 'none' }).description, 'Unconfined · test');
    const { description, tooltip } = itemOf({ notificationsLost: 'all' });
    assert.equal(description, 'Not receiving updates · test');
    assert.match(typeof tooltip === 'string' ? tooltip : '', /may be out of date/);
    assert.equal(
      itemOf({ notificationsLost: 'some' }).description,
      'Announces only some changes · test',
    );
  });

  it('is not said of a server that is not reached, which its row says and why', () => {
    const info = { protocolVersion: '2025-11-25', capabilities: {} };
    const message = 'Nothing listens there\u202E (connection refused).';
    const node = nodeIn({ kind: 'reconnecting', info, message });
    const { description, tooltip, iconPath, contextValue } = node.item();
    assert.equal(description, 'Reconnecting… · test');
    assert.equal((iconPath as { readonly id: string }).id, 'debug-disconnect');
    assert.match(typeof tooltip === 'string' ? tooltip : '', /there⟨U\+202E⟩ \(connection refused/);
    assert.match(`${contextValue}`, /^server\.reconnecting/);
    const below = (node.children?.() ?? []) as readonly TreeNode[];
    assert.deepEqual(
      below.map((row) => row.item().label),
      ['Nothing listens there⟨U+202E⟩ (connection refused).', 'Restart Server', 'Show Log'],
    );
  });

  it('stands on its row while it starts where it is no message', () => {
    assert.equal(nodeIn({ kind: 'starting' }).item().description, 'Starting… · test');
    const unexpectedOutput = `Listening\u202E on ${'3000'.repeat(100)}`;
    const { description, tooltip } = nodeIn({ kind: 'starting', unexpectedOutput }).item();
    assert.match(
      `${description}`,
      /^Starting… · printed “Listening⟨U\+202E⟩ on [03]+…”, which is not an MCP message · test$/,
    );
    assert.ok(`${description}`.length < 150);
    assert.match(typeof tooltip === 'string' ? tooltip : '', /printed “Listening.*(3000){100}”/);
  });

  it('stands in the tooltip of its row where it refused the sign-in', () => {
    const problem = 'https://x refused the sign-in: no\u202E';
    const { description, tooltip } = nodeIn({ kind: 'needsSignIn', problem }).item();
    assert.equal(description, 'Sign-in needed · test');
    assert.match(typeof tooltip === 'string' ? tooltip : '', /refused the sign-in: no⟨U\+202E⟩$/);
  });

  it('refuses access and offers to add a header where nothing says that it wants a sign-in', async () => {
    const node = nodeIn({ kind: 'needsSignIn', isUnexplained: true });
    const { description, tooltip } = node.item();
    assert.equal(description, 'Access refused (401) · test');
    assert.match(typeof tooltip === 'string' ? tooltip : '', /names no way to sign in/);
    const rows = (await node.children?.()) ?? [];
    const labels = rows.map((row) => row.item().label);
    assert.deepEqual(labels, ['Add a Header…', 'Sign In']);
  });

  it('is reported in a row below its own where it breaks the protocol, and counted where it does so more than once', async () => {
    const told = async (...problems: readonly string[]) => {
      const [row] = (await runningNode({ problems }).children?.()) ?? [];
      const { label, tooltip, iconPath } = row?.item() ?? {};
      const icon = iconPath instanceof vscode.ThemeIcon ? iconPath.id : undefined;
      return { label, tooltip, icon };
    };
    const faults = ['Its name is \u202Eno text.', '3 messages could not be read.'] as const;
    assert.equal((await told(faults[1])).label, faults[1]);
    const { label, tooltip, icon } = await told(...faults);
    assert.equal(label, '2 problems with what the server sends');
    assert.equal(icon, 'warning');
    assert.match(
      typeof tooltip === 'string' ? tooltip : '',
      /Its name is ⟨U\+202E⟩no text\.\n3 messages could not be read\./,
    );
    assert.equal((await told()).label, 'Offers no resources, prompts or tools');
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
      const questions = { untilFree: (action: UserAction) => Promise.resolve(action) } as Questions;
      const target = { server: {} as Server, resource: { uri: 'x:/', name: 'x' } };
      assert.deepEqual(await pickDocuments({ questions }, byUser(), found, target), []);
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
      const [row] = toolSection.nodes({ tools: { items } } as unknown as Server, parent);
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
    assert.equal(label(), `Show More (${rowsPerPage + 1} left)`);
    node.showMore?.();
    assert.equal(label(), 'Show More (1 left)');
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
