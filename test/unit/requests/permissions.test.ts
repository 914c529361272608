import assert from 'node:assert/strict';
import type { Server } from '../../../src/mcp/server';
import { SamplingPermissions, type SamplingMode } from '../../../src/requests/sampling/permissions';
import { createMementoOf } from '../../support/fakes/memento';

function server(id: string, command = 'node'): Server {
  const config = { type: 'stdio', command, args: [], env: {} } as const;
  return {
    id,
    name: id,
    definition: { id, name: id, config, source: { label: '' } },
    launchFingerprint: () => Promise.resolve(command),
  } as unknown as Server;
}

describe('what was decided on a server’s use of a model', () => {
  it('is nothing until somebody decided', async () =>
    assert.equal(await new SamplingPermissions(createMementoOf()).find(server('a')), undefined));

  it('is kept for that server alone, also over windows', async () => {
    const store = createMementoOf();
    await new SamplingPermissions(store).set(server('a'), { mode: 'budget', model: 'demo' });
    const later = new SamplingPermissions(store);
    const found = await later.find(server('a'));
    assert.deepEqual([found?.mode, found?.model], ['budget', 'demo']);
    assert.equal(await later.find(server('b')), undefined);
  });

  it('does not hold for a server of that name that is launched otherwise', async () => {
    const permissions = new SamplingPermissions(createMementoOf());
    await permissions.set(server('a'), { mode: 'budget' });
    assert.equal(await permissions.find(server('a', 'evil')), undefined);
  });

  const modelCases: readonly [what: string, mode: SamplingMode | undefined, model?: string][] = [
    ['has the model that the user chose since', 'ask', 'chosen'],
    ['has no model where it is to use none', 'never'],
    ['stays absent where only a model was chosen', undefined],
  ];
  for (const [what, mode, model] of modelCases)
    it(`${what}, and is the same otherwise`, async () => {
      const permissions = new SamplingPermissions(createMementoOf());
      await permissions.set(server('a'), mode && { mode });
      await permissions.setModel(server('a'), 'chosen');
      const found = await permissions.find(server('a'));
      assert.deepEqual([found?.mode, found?.model], [mode, model]);
    });

  it('is replaced by a later decision, and can be forgotten', async () => {
    const permissions = new SamplingPermissions(createMementoOf());
    let changes = 0;
    permissions.onDidChange(() => (changes += 1));
    await permissions.set(server('a'), { mode: 'budget' });
    await permissions.set(server('a'), { mode: 'never' });
    assert.deepEqual(
      permissions.all.map(({ mode }) => mode),
      ['never'],
    );
    await permissions.set(server('a'), undefined);
    assert.equal(await permissions.find(server('a')), undefined);
    assert.equal(changes, 3);
  });

  for (const broken of [
    'x',
    7,
    {},
    [null, {}, { server: {}, launchFingerprint: '', mode: 'budget' }],
  ])
    it(`is nothing where the store holds ${JSON.stringify(broken)}`, () =>
      assert.deepEqual(new SamplingPermissions(createMementoOf(broken)).all, []));
});
