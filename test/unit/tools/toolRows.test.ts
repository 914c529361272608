import assert from 'node:assert/strict';
import { byUser } from '../../../src/ui/questions/question';
import manifest from '../../../package.json';
import { createMemento } from '../../support/fakes/memento';
import { fakeServer, tool } from '../../support/fakes/fakeServer';
import { watchPicks } from '../../support/host/shownPicks';
import type { Approval } from '../../../src/gate/decide/approval';
import { Approvals } from '../../../src/gate/decide/approvals';
import { manageApprovals } from '../../../src/tools/manageApprovals';
import { maxHoverParameters, toolSection, type ToolNode } from '../../../src/tools/toolSection';
import type { Tool } from '../../../src/mcp/protocol/types';
import { Command } from '../../../src/ui/ids';
import type { TreeNode } from '../../../src/ui/tree';

function rowOf(properties: object, required: readonly string[] = []): ToolNode {
  return rowFor(tool({ name: 'one', inputSchema: { type: 'object', properties, required } }));
}

function rowFor(one: Tool): ToolNode {
  const server = fakeServer({ tools: [one] });
  const [row] = toolSection.nodes(server, { id: 'tools' } as TreeNode, 10);
  return row as ToolNode;
}

describe('the row of a tool', () => {
  it('names its parameters in the hover: what each is, whether it must be given, what it is for', () => {
    const { tooltip } = rowOf(
      {
        path: { type: 'string', description: 'Where to\n look' },
        depth: { type: 'integer' },
        deep: { type: 'boolean' },
        kind: { enum: ['a', 'b'] },
        tags: { type: 'array', items: { type: 'string' } },
        where: { $ref: '#/$defs/where' },
      },
      ['path', 'kind'],
    ).item() as { readonly tooltip: string };
    const lines = tooltip.split('\n').slice(-6);
    assert.deepEqual(lines, [
      'path (text, required): Where to look',
      'depth (number)',
      'deep (yes or no)',
      'kind (choice, required)',
      'tags (list)',
      'where (object)',
    ]);
  });

  it('has in the hover what its server claims, marked as its words', () => {
    const hoverOf = (annotations?: Tool['annotations']) => {
      const one = tool({ name: 'one', description: 'Looks.', ...(annotations && { annotations }) });
      return (rowFor(one).item() as { readonly tooltip: string }).tooltip;
    };
    assert.match(
      hoverOf({ readOnlyHint: true, openWorldHint: false }),
      /\n\nLooks\.\n\nThe server claims: only reads, stays local$/,
    );
    assert.doesNotMatch(hoverOf(), /claims/);
    assert.doesNotMatch(hoverOf({}), /claims/);
  });

  it('names a bounded number of them', () => {
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [`p${at}`, { description: 'x'.repeat(5000) }]),
    );
    const { tooltip } = rowOf(many).item() as { readonly tooltip: string };
    assert.match(tooltip, new RegExp(`\\n${10_000 - maxHoverParameters} more$`));
    assert.ok(tooltip.length < 10_000);
  });

  it('has a menu that runs it, also on a selection, shows its definition and its approvals', () => {
    const menu = manifest.contributes.menus['view/item/context'];
    const commands = menu
      .filter(
        ({ when, group }) => when.endsWith(' viewItem == tool') && !group?.startsWith('inline'),
      )
      .map(({ command }) => command);
    assert.deepEqual(commands, [
      Command.runTool,
      Command.runToolOnSelection,
      Command.showToolDefinition,
      Command.manageToolApprovals,
    ]);
  });

  it('lists the approvals that cover it, and no others', async () => {
    const row = rowOf({});
    const { server } = row;
    const approval = (id: string, name: string | undefined): Approval =>
      ({
        server: { id, name: id },
        tool: name,
        coverage: name === undefined ? 'server' : 'tool',
        duration: 'always',
        givenAt: 0,
        identity: { tools: {} },
      }) as unknown as Approval;
    const approvals = Object.assign(
      new Approvals({ workspace: createMemento(), always: createMemento() }),
      {},
    );
    const all = [
      approval(server.id, 'one'),
      approval(server.id, undefined),
      approval(server.id, 'other'),
      approval('elsewhere', 'one'),
    ];
    Object.defineProperty(approvals, 'all', { get: () => all });
    const picks = watchPicks();
    try {
      manageApprovals(
        byUser(),
        { approvals, input: undefined as never, writer: undefined as never },
        row,
      );
      const shown = await picks.next(/^Approvals of one$/);
      assert.deepEqual(shown.labels, ['Always', `${server.id} › one`, server.id]);
    } finally {
      picks.dispose();
    }
  });
});
