import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ConfigProblem, LocatedDefinition } from '../../../src/config/mergeLayers';
import type { Server } from '../../../src/mcp/server';
import { createPromptSection } from '../../../src/prompts/promptSection';
import { createFolderNode, createNoteNode } from '../../../src/resources/tree/resourceNodes';
import { createResourceNode } from '../../../src/resources/tree/resourceNodes';
import { createChangesNode, createHeldNode } from '../../../src/development/changeNodes';
import { surfaceOf } from '../../../src/development/surface/compareSurfaces';
import { createRootsNode } from '../../../src/roots/rootNodes';
import type { Roots } from '../../../src/roots/roots';
import { toolSection } from '../../../src/tools/toolSection';
import { createProblemNode, createDuplicateNode } from '../../../src/tree/unusedNodes';
import { createServerNode } from '../../../src/tree/serverNode';
import type { TreeNode, TreeSection } from '../../../src/ui/tree';
import { nastyTexts, workingIn } from '../../support/fakes/nastyTexts';
import { noNotes } from '../../support/fakes/fakeServer';

/** A server with this text everywhere. */
function serverOf(text: string): Server {
  const list = (...items: object[]) => ({ items, status: 'loaded', error: text, problems: [text] });
  const entry = { name: text, title: text, description: text };
  return {
    id: text,
    name: text,
    definition: { config: { type: 'stdio', command: text, args: [text] }, source: { label: text } },
    state: { kind: 'failed', message: text, detail: text },
    tools: list({ ...entry, inputSchema: {}, annotations: { title: text } }),
    prompts: list({ ...entry, arguments: [{ name: text, description: text }] }),
    resources: list({ ...entry, uri: text, mimeType: text }),
    resourceTemplates: list({ ...entry, uriTemplate: text }),
    skills: list(),
  } as unknown as Server;
}

const never = () => ({ dispose() {} });
const looks = () => ({ description: '', pinned: true, changed: true });

const resourceSection: TreeSection = {
  nodes: (server, parent) => {
    const at = { parent, section: parent.id };
    return server.resources.items.flatMap((resource) => [
      createResourceNode({ server, resource }, resource, at, { looks }),
      createFolderNode(
        { label: resource.name, prefix: resource.uri, self: resource },
        at,
        () => [],
      ),
      createNoteNode(parent, { key: 'a', text: resource.name, icon: 'info' }),
    ]);
  },
};

function topRows(text: string): readonly TreeNode[] {
  const server = serverOf(text);
  const prompts = createPromptSection(() => 'a', never);
  const resources = resourceSection;
  const sections = {
    tools: toolSection,
    prompts,
    resources,
    resourceTemplates: { nodes: () => [] },
    skills: { nodes: () => [] },
  };
  const kinds = ['changed', 'new', 'gone'] as const;
  const changes = kinds.map(
    (kind) => ({ kind, part: 'tools', name: text, breaks: [text] }) as const,
  );
  const problem = { id: text, name: text, message: text, layer: { label: text } };
  const repeated = { definition: { id: text, name: text }, layer: { label: text } };
  const roots = {
    entries: [
      { uri: 'https://example.com/a', key: 'https://example.com/a', name: text, added: true },
    ],
    disappointed: [server],
    hidden: new Map(),
    serversFor: () => [server],
    isTold: () => false,
    isWithheld: () => false,
    rootsOf: () => [{ uri: 'https://example.com/', name: text }],
  };
  return [
    createServerNode(server, sections, noNotes),
    createChangesNode(server, createServerNode(server, sections, noNotes), changes, {
      label: text,
      surface: surfaceOf(server, { protocolVersion: text, capabilities: {} }),
    }),
    createHeldNode(server, createServerNode(server, sections, noNotes), text),
    createProblemNode(problem as unknown as ConfigProblem),
    createDuplicateNode({
      server: repeated as unknown as LocatedDefinition,
      as: { id: text, name: text },
    }),
    createRootsNode(roots as unknown as Roots, () => []),
  ];
}

async function withAllBelow(nodes: readonly TreeNode[]): Promise<readonly TreeNode[]> {
  const below = nodes.map(async (node) => withAllBelow((await node.children?.()) ?? []));
  return [...nodes, ...(await Promise.all(below)).flat()];
}

describe('the rows of a server', () => {
  for (const [tries, text] of nastyTexts)
    it(`show ${tries} and let it do nothing`, async () => {
      const items = (await withAllBelow(topRows(text))).map((node) => node.item());
      assert.ok(items.length > 15, `${items.length} rows`);
      for (const {
        label,
        description,
        tooltip,
        accessibilityInformation,
        checkboxState,
      } of items) {
        assert.ok(typeof label === 'string' && typeof description !== 'boolean');
        assert.ok(tooltip === undefined || typeof tooltip === 'string');
        const checked = typeof checkboxState === 'object' ? checkboxState.tooltip : '';
        const spoken = accessibilityInformation?.label;
        assert.ok(spoken?.includes(label));
        for (const line of [label, description, spoken, checked])
          assert.equal(workingIn(line ?? '', 600), undefined, line);
        assert.doesNotMatch(tooltip ?? '', /(?![\n\t])\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/u);
      }
    });

  for (const text of ['demo', 'Rolls dice.', 'https://example.com/a'])
    it(`say nothing twice, whatever else a server calls “${text}”`, async () => {
      for (const node of await withAllBelow(topRows(text))) {
        const { label, description = '', tooltip = '' } = node.item();
        assert.ok(typeof label === 'string' && typeof tooltip === 'string');
        assert.notEqual(description, label);
        const lines = tooltip.split('\n');
        for (const said of [label, text])
          assert.ok(lines.filter((line) => line === said).length <= 1, `${label}: ${tooltip}`);
      }
    });

  it('are said by what they are, their name and their state', async () => {
    const rows = await withAllBelow(topRows('demo'));
    const spoken = rows.map((node) => node.item().accessibilityInformation?.label);
    for (const expected of [
      'Server demo, Failed',
      'Tools, 1',
      'Tool demo',
      'Prompt demo',
      'Resource demo, changed, pinned',
      'Folder demo',
      'Root demo, 0 of 1 servers, checked',
      'Server demo, not checked',
      'Configuration Problem demo',
    ])
      assert.ok(spoken.includes(expected), `${expected} is not among ${spoken.join(' | ')}`);
    assert.ok(rows.every((node) => node.item() instanceof vscode.TreeItem));
  });
});
