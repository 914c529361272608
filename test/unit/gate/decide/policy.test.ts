import assert from 'node:assert/strict';
import { readResourceTool } from '../../../../src/contracts/toolCalls';
import type { Tool, ToolAnnotations } from '../../../../src/mcp/protocol/types';
import { matchesAny, taintReach } from '../../../../src/gate/decide/policy';
import { taintSources } from '../../../../src/ui/settings/settingRules';

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
    it(`covers ${covered ? '' : 'not '}${tool} with the pattern "${pattern}"`, () => {
      const [server = '', name = ''] = tool.split('/');
      assert.equal(matchesAny([pattern], server, name), tool.includes('/') && covered);
    });

  it('finds a pattern of many stars in a long name at once', () => {
    // A search with backtracking would not finish before the test times out.
    const deny = [`${'*a'.repeat(200)}b`];
    assert.equal(matchesAny(deny, 'demo', 'a'.repeat(100_000)), false);
  });

  const hints: readonly ToolAnnotations[] = [
    {},
    ...[true, false].flatMap((hint) => [{ openWorldHint: hint }, { readOnlyHint: hint }]),
  ];
  for (const [source, reach] of [
    ['off', 'none'],
    ['otherServers', 'otherServers'],
    ['assumed', 'all'],
  ] as const)
    it(`lets no hint decide how far a result taints under ${source}`, () =>
      assert.deepEqual(
        hints.map((hint) => taintReach(source, annotated(hint))),
        hints.map(() => reach),
      ));

  it('lets a hint add to what taints, and take nothing away, where the user wants it', () =>
    assert.deepEqual(
      [{ openWorldHint: true }, {}, { openWorldHint: false }].map((hint) =>
        taintReach('declared', annotated(hint)),
      ),
      ['all', 'otherServers', 'otherServers'],
    ));

  it('takes a resource for what strangers wrote wherever results may be', () =>
    assert.deepEqual(
      taintSources.map((source) => taintReach(source, readResourceTool)),
      ['none', 'all', 'all', 'all'],
    ));
});
