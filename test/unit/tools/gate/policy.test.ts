import assert from 'node:assert/strict';
import { readResourceTool } from '../../../../src/contracts/toolCalls';
import type { Tool } from '../../../../src/mcp/protocol/types';
import {
  isDenied,
  isOpenWorld,
  serverPolicies,
  tighten,
  type ToolPolicy,
} from '../../../../src/tools/gate/policy';

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
  for (const [index, own] of serverPolicies.entries())
    for (const [other, workspace] of serverPolicies.entries())
      it(`of ${own} is not made looser than that by a workspace’s ${workspace}`, () => {
        const { servers } = tighten(
          { ...user, servers: { demo: own } },
          { servers: { demo: workspace } },
        );
        assert.equal(servers['demo'], serverPolicies[Math.max(index, other)]);
      });

  it('cannot be set to allow by a workspace alone', () => {
    assert.equal(tighten(user, { servers: { demo: 'allow' } }).servers['demo'], 'ask');
  });

  it('takes the lower limits, all patterns, and only trust that both give', () => {
    const policy = tighten(
      { ...user, deny: ['a/*'], trustReadOnlyHint: ['a', 'b'] },
      {
        deny: ['b/*'],
        trustReadOnlyHint: ['b', 'c'],
        maxCallsPerMinute: 100,
        maxCallsPerAnswer: 5,
        taint: 'off',
      },
    );
    assert.deepEqual(policy, {
      servers: {},
      deny: ['a/*', 'b/*'],
      trustReadOnlyHint: ['b'],
      maxCallsPerMinute: 60,
      maxCallsPerAnswer: 5,
      taint: 'declared',
    });
  });

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
