import assert from 'node:assert/strict';
import { coverages, durations } from '../../../../src/contracts/questionOutcome';
import { type Approval } from '../../../../src/gate/decide/approval';
import { decide, type Facts, type AccessDecision } from '../../../../src/gate/decide/decide';
import { serverPolicies } from '../../../../src/ui/settings/settingRules';

const identity = {
  launch: {},
  launchFingerprint: 'launch',
  definition: { name: 'tool', inputSchema: { type: 'object' } },
} as const;

function approval(part: Partial<Approval>): Approval {
  return {
    duration: 'always',
    coverage: 'tool',
    server: { id: 'demo', name: 'demo' },
    tool: 'tool',
    identity,
    fingerprint: 'fingerprint',
    givenAt: 100,
    ...part,
  };
}

const nothing: Facts = {
  policy: 'ask',
  forbiddenBy: undefined,
  onDenyList: false,
  onAskList: false,
  isFilteredOut: false,
  trustsReadOnlyHint: false,
  annotations: undefined,
  approval: undefined,
  changes: [],
  lookAlikes: [],
  over: undefined,
  taintedSince: undefined,
  validation: { kind: 'valid', notes: [] },
};

const changes = [{ part: 'description', before: 'a', after: 'b' }] as const;

describe('Deciding on a call', () => {
  for (const duration of durations)
    for (const coverage of coverages)
      for (const policy of serverPolicies)
        for (const changed of [false, true])
          it(`with an allowance (${duration}, ${coverage}) for what ${changed ? 'has changed' : 'is unchanged'} under the policy ${policy}`, () => {
            // A changed definition has no approval anymore, only the differences.
            const facts: Facts = changed
              ? { ...nothing, policy, changes }
              : { ...nothing, policy, approval: approval({ duration, coverage }) };
            const access = decide(facts);
            if (policy === 'deny') assert.deepEqual(access, { kind: 'deny', rule: 'serverPolicy' });
            else if (changed)
              assert.deepEqual(access, {
                kind: 'ask',
                concerns: [{ kind: 'changed', changes }],
              });
            else assert.deepEqual(access, { kind: 'allow', by: facts.approval });
          });

  const rows: readonly { what: string; facts: Partial<Facts>; access: string }[] = [
    { what: 'asks where nothing speaks for it', facts: {}, access: 'ask' },
    { what: 'allows by policy', facts: { policy: 'allow' }, access: 'allow serverPolicy' },
    { what: 'denies by policy', facts: { policy: 'deny' }, access: 'deny serverPolicy' },
    {
      what: 'lets the deny list win over an allowance and a policy',
      facts: { onDenyList: true, policy: 'allow', approval: approval({}) },
      access: 'deny denyList',
    },
    {
      what: 'lets the restriction of the server’s entry win over an allowance and a policy',
      facts: { isFilteredOut: true, policy: 'allow', approval: approval({}) },
      access: 'deny toolFilter',
    },
    {
      what: 'asks by the ask list whatever was allowed',
      facts: { onAskList: true, policy: 'allow', approval: approval({}) },
      access: 'ask askList',
    },
    {
      what: 'asks about a name that the server does not list, whatever was allowed',
      facts: { isUnlisted: true, policy: 'allow', approval: approval({}) },
      access: 'ask unlisted',
    },
    {
      what: 'lets the deny list win over the ask list',
      facts: { onAskList: true, onDenyList: true },
      access: 'deny denyList',
    },
    {
      what: 'does not take a server’s word that a tool only reads',
      facts: { annotations: { readOnlyHint: true } },
      access: 'ask',
    },
    {
      what: 'takes the word of a server that the user trusts in this',
      facts: { annotations: { readOnlyHint: true }, trustsReadOnlyHint: true },
      access: 'allow readOnlyHint',
    },
    {
      what: 'takes it only where it is given',
      facts: { annotations: { destructiveHint: false }, trustsReadOnlyHint: true },
      access: 'ask',
    },
    {
      what: 'asks above the limit of a minute whatever was allowed',
      facts: { over: 'minute', approval: approval({}), policy: 'allow' },
      access: 'ask over',
    },
    {
      what: 'asks above the limit of an answer whatever was allowed',
      facts: { over: 'answer', approval: approval({}) },
      access: 'ask over',
    },
    {
      what: 'asks about arguments that do not fit whatever was allowed',
      facts: {
        validation: { kind: 'invalid', problems: [{ path: ['a'], kind: 'missing' }] },
        approval: approval({}),
      },
      access: 'ask arguments',
    },
    {
      what: 'points out a look-alike, but asks anyway only where nothing allows',
      facts: {
        lookAlikes: [{ server: { id: 'other', name: 'other' }, tool: 'tool', same: true }],
        approval: approval({}),
      },
      access: 'allow approval',
    },
    {
      what: 'asks again for a session once the conversation is tainted',
      facts: { taintedSince: 200, approval: approval({ duration: 'session', givenAt: 100 }) },
      access: 'ask tainted',
    },
    {
      what: 'keeps a session’s allowance that was given with the taint known',
      facts: { taintedSince: 200, approval: approval({ duration: 'session', givenAt: 300 }) },
      access: 'allow approval',
    },
    {
      what: 'asks again for a session in a tainted conversation whatever the server says of its tool',
      facts: {
        taintedSince: 200,
        approval: approval({ duration: 'session' }),
        annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
      },
      access: 'ask tainted',
    },
    {
      what: 'keeps lasting allowances in a tainted conversation',
      facts: { taintedSince: 200, approval: approval({ duration: 'workspace' }) },
      access: 'allow approval',
    },
    {
      what: 'shows a changed definition even where a policy would allow',
      facts: { policy: 'allow', changes },
      access: 'ask changed',
    },
  ];

  for (const { what, facts, access } of rows)
    it(what, () => {
      const decided = decide({ ...nothing, ...facts });
      assert.equal([decided.kind, ...reasonsOf(decided)].join(' '), access);
    });
});

function reasonsOf(access: AccessDecision): readonly string[] {
  switch (access.kind) {
    case 'ask':
      return access.concerns.map(({ kind }) => kind);
    case 'allow':
      return [typeof access.by === 'string' ? access.by : 'approval'];
    case 'deny':
      return [access.rule];
  }
}
