import assert from 'node:assert/strict';
import { readResourceTool } from '../../../../src/contracts/toolCalls';
import type { Tool } from '../../../../src/mcp/protocol/types';
import { isDenied, isOpenWorld, type ToolPolicy } from '../../../../src/tools/gate/policy';

const user: ToolPolicy = {
  servers: {},
  deny: [],
  trustReadOnlyHint: [],
  maxCallsPerMinute: 60,
  maxCallsPerAnswer: 50,
  taint: 'declared',
};

const annotated = (annotations: NonNullable<Tool['annotations']>): Tool => ({
  name: 'tool',
  inputSchema: {},
  annotations,
});

describe('A policy', () => {
  const patterns: readonly [pattern: string, tool: string, covered: boolean][] = [
    ['demo/write', 'demo/write', true],
    ['demo/write', 'demo/writes', false],
    ['demo/write', 'demo/rewrite', false],
    ['demo/*', 'demo/anything', true],
    ['demo/*', 'demos/anything', false],
    ['*/delete*', 'demo/delete_all', true],
    ['*/delete*', 'demo/undelete', false],
    ['*delete*', 'demo/undelete', true],
    ['*', 'demo/x', true],
    ['a*a', 'a', false],
    ['a*b*c', 'axbxc', true],
    ['a*b*c', 'axcxb', false],
    ['', 'demo/x', false],
    ['demo/x.y', 'demo/xzy', false],
  ];
  for (const [pattern, tool, covered] of patterns)
    it(`denies ${covered ? '' : 'not '}${tool} with the pattern "${pattern}"`, () => {
      const [server = '', name = ''] = tool.split('/');
      assert.equal(
        isDenied({ ...user, deny: [pattern] }, server, name),
        tool.includes('/') && covered,
      );
    });

  it('finds a pattern of many stars in a long name at once', () => {
    // A search that backtracks would not come back before the test's time is over.
    const deny = [`${'*a'.repeat(200)}b`];
    assert.equal(isDenied({ ...user, deny }, 'demo', 'a'.repeat(100_000)), false);
  });

  const worlds: readonly [ToolPolicy['taint'], boolean | undefined, boolean][] = [
    ['off', true, false],
    ['declared', true, true],
    ['declared', undefined, false],
    ['declared', false, false],
    ['assumed', true, true],
    ['assumed', undefined, true],
    ['assumed', false, true],
  ];
  for (const [source, hint, tainted] of worlds)
    it(`counts a tool with the hint ${hint} as ${tainted ? '' : 'not '}open-world under ${source}`, () =>
      assert.equal(
        isOpenWorld(source, annotated(hint === undefined ? {} : { openWorldHint: hint })),
        tainted,
      ));

  it('counts a resource as open-world wherever results may be', () => {
    const counted = (['off', 'declared', 'assumed'] as const).map((source) =>
      isOpenWorld(source, readResourceTool),
    );
    assert.deepEqual(counted, [false, true, true]);
  });
});
