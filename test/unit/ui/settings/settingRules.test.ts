import assert from 'node:assert/strict';
import manifest from '../../../../package.json';
import { Setting } from '../../../../src/ui/ids';
import {
  mergeAutostart,
  mergeLevels,
  serverPlaces,
  settingRules,
  type SettingKey,
  type SettingRule,
} from '../../../../src/ui/settings/settingRules';

interface Property {
  readonly default?: unknown;
  readonly scope?: string;
  readonly enum?: readonly unknown[];
}
const properties: Readonly<Record<string, Property>> = Object.fromEntries(
  manifest.contributes.configuration.flatMap((group) => Object.entries(group.properties)),
);
const rules = Object.entries(settingRules) as unknown as readonly [
  SettingKey,
  SettingRule<unknown>,
][];

/** For each setting, the user's value, a workspace's value, and the resulting one. */
const merges: Readonly<Record<SettingKey, readonly (readonly [unknown, unknown, unknown])[]>> = {
  [Setting.palette]: [
    ['off', 'all', 'off'],
    [undefined, 'all', 'ask'],
  ],
  [Setting.promptPreview]: [
    ['always', 'never', 'always'],
    [undefined, 'never', 'firstTime'],
  ],
  [Setting.servers]: [[{ a: 1 }, { b: 1 }, { b: 1 }]],
  [Setting.inputs]: [[[1], [2], [2]]],
  [Setting.places]: [
    [['vscode'], ['copilot'], ['vscode']],
    [undefined, [], [...serverPlaces]],
  ],
  [Setting.tracesEnabled]: [
    [undefined, true, false],
    [true, false, true],
  ],
  [Setting.tracesEndpoint]: [
    [undefined, 'https://theirs', ''],
    ['https://mine', 'https://theirs', 'https://mine'],
  ],
  [Setting.tracesContent]: [
    [undefined, true, false],
    [true, false, true],
  ],
  [Setting.registry]: [
    ['https://mine', 'https://theirs', 'https://mine'],
    ['', 'https://theirs', ''],
    [undefined, 'https://theirs', 'https://registry.modelcontextprotocol.io'],
  ],
  [Setting.identityProviders]: [
    [{ acme: { issuer: 'a' } }, { acme: { issuer: 'b' } }, { acme: { issuer: 'a' } }],
    [undefined, { acme: { issuer: 'b' } }, {}],
  ],
  [Setting.inheritEnvironment]: [
    [undefined, 'all', 'safe'],
    ['all', 'none', 'none'],
    ['none', 'all', 'none'],
    ['all', undefined, 'all'],
  ],
  [Setting.autostart]: [
    [undefined, 'always', 'onDemand'],
    ['always', 'never', 'never'],
    ['never', 'always', 'never'],
    ['always', 'x', 'always'],
  ],
  [Setting.autostartServers]: [
    [{ a: 'never' }, { a: 'always', b: 'never' }, { a: 'never', b: 'never' }],
  ],
  [Setting.development]: [
    [{ a: 1, b: 1 }, { b: 2 }, { a: 1, b: 2 }],
    ['x', { a: 1 }, { a: 1 }],
  ],
  [Setting.showQuestions]: [
    ['never', 'always', 'never'],
    [undefined, 'never', 'whenIdle'],
  ],
  [Setting.samplingRequestsPerHour]: [
    [5, 100, 5],
    [undefined, 0, 20],
  ],
  [Setting.samplingTokensPerHour]: [
    [5, 100, 5],
    [undefined, 0, 50_000],
  ],
  [Setting.hiddenRoots]: [[{ web: ['a'] }, { web: [], api: ['*'] }, { web: ['a'], api: ['*'] }]],
  [Setting.addedRoots]: [
    [[{ uri: 'file:///a' }], [{ uri: 'file:///' }], [{ uri: 'file:///a' }]],
    [undefined, [{ uri: 'file:///' }], []],
  ],
  [Setting.refreshOnFocus]: [[false, true, true]],
  [Setting.toolServerPolicy]: [
    [undefined, { a: 'allow', b: 'deny' }, { a: 'ask', b: 'deny' }],
    [
      { a: 'allow', b: 'deny' },
      { a: 'ask', b: 'allow' },
      { a: 'ask', b: 'deny' },
    ],
    [{ a: 'allow' }, { b: 'allow' }, { a: 'allow', b: 'ask' }],
  ],
  [Setting.toolDenyList]: [
    [['a/*'], [], ['a/*']],
    [['a/*'], ['b/*'], ['a/*', 'b/*']],
  ],
  [Setting.toolAskList]: [
    [['a/*'], [], ['a/*']],
    [['a/*'], ['b/*'], ['a/*', 'b/*']],
  ],
  [Setting.toolTrustReadOnlyHint]: [
    [['a', 'b'], ['b', 'c'], ['b']],
    [undefined, ['a'], []],
  ],
  [Setting.toolMaxCallsPerMinute]: [
    [10, 1000, 10],
    [10, 5, 5],
    [undefined, 1000, 60],
  ],
  [Setting.toolMaxCallsPerAnswer]: [
    [10, 1000, 10],
    [10, 0, 0],
    [undefined, 1000, 50],
  ],
  [Setting.toolTaint]: [
    ['assumed', 'off', 'assumed'],
    ['off', 'declared', 'declared'],
  ],
  [Setting.toolDefaultChoice]: [
    ['deny', 'allow', 'deny'],
    [undefined, 'allow', 'deny'],
  ],
  [Setting.toolLogArguments]: [
    ['redacted', 'hashes', 'redacted'],
    ['hashes', 'redacted', 'hashes'],
  ],
  [Setting.chatMaxRounds]: [
    [10, 1000, 10],
    [undefined, 1000, 25],
    [10, 5, 5],
    [10, -1, 10],
  ],
  [Setting.chatMaxTools]: [
    [10, 1000, 10],
    [undefined, 1000, 64],
    [10, 5, 5],
  ],
  [Setting.chatMaxResultLength]: [
    [10, 1e9, 10],
    [undefined, 1e9, 50_000],
    [10, 5, 5],
  ],
  [Setting.openApps]: [
    ['ask', 'always', 'ask'],
    ['always', 'never', 'never'],
    [undefined, 'always', 'ask'],
  ],
  [Setting.appTabs]: [
    ['perTool', 'perCall', 'perCall'],
    ['perCall', 'perTool', 'perTool'],
    [undefined, 'never', 'perTool'],
  ],
  [Setting.agentMaxTools]: [
    [{ Cursor: 40, Codex: -1 }, { Cursor: 1000 }, { Cursor: 40 }],
    [undefined, { Cursor: 0 }, {}],
  ],
  [Setting.agentHttp]: [
    [undefined, true, false],
    [true, false, true],
  ],
  [Setting.provideToEditor]: [
    [undefined, true, false],
    [true, false, true],
  ],
};

describe('the rules of settings', () => {
  it('are there for every setting of the manifest and no other', () =>
    assert.deepEqual(rules.map(([key]) => key).toSorted(), Object.keys(properties).toSorted()));

  for (const [key, rule] of rules) {
    it(`begin with what the manifest says of ${key}, and know all that it offers`, () => {
      assert.deepEqual(rule.fallback, properties[key]?.default);
      for (const value of properties[key]?.enum ?? []) assert.equal(rule.read(value), value);
      for (const odd of [null, Symbol('odd'), -1])
        assert.equal(rule.reach !== 'free' && rule.read(odd), rule.reach !== 'free' && undefined);
    });

    it(`have ${key} offered to workspaces just where their word counts`, () =>
      assert.equal(properties[key]?.scope === 'application', rule.reach === 'user'));

    for (const [user, workspace, held] of merges[key])
      it(`let ${key} be ${JSON.stringify(held)} where the user says ${JSON.stringify(user)} and a workspace ${JSON.stringify(workspace)}`, () => {
        assert.deepEqual(mergeLevels(rule, user, [workspace]), held);
        assert.deepEqual(mergeLevels(rule, user, [undefined, workspace, workspace]), held);
      });
  }

  for (const [held, user, ...workspace] of [
    ['onDemand', {}, { all: 'always' }],
    ['onDemand', {}, { single: { a: 'always' } }],
    ['always', { single: { a: 'always' } }, {}],
    ['always', { all: 'never', single: { a: 'always' } }, { single: { b: 'never' } }],
    ['never', { single: { a: 'always' } }, { all: 'never' }],
    ['never', { all: 'always' }, { single: { a: 'never' } }],
    ['never', { all: 'never' }, { all: 'always', single: { a: 'always' } }],
    ['onDemand', { all: 'always' }, {}, { single: { a: 'onDemand' } }],
  ] as const)
    it(`start a server ${held} where the levels say ${JSON.stringify([user, ...workspace])}`, () => {
      const levels = [user, ...workspace].map((level) => ({
        all: undefined,
        single: undefined,
        ...level,
      }));
      assert.equal(mergeAutostart('a', levels), held);
    });
});
