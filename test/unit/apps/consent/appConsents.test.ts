import assert from 'node:assert/strict';
import { AppConsents, maxConsents } from '../../../../src/apps/consent/appConsents';
import { fakeApp as app } from '../../../support/fakes/fakeApp';
import { createMemento } from '../../../support/fakes/memento';
import { fakeServer } from '../../../support/fakes/fakeServer';

describe('the consents to apps', () => {
  const server = fakeServer();

  it('hold for what was allowed, with what was granted, and for nothing else', async () => {
    const consents = new AppConsents(createMemento());
    assert.deepEqual(await consents.find(server, app()), { kind: 'new' });
    await consents.remember(server, app(), ['camera']);
    assert.deepEqual(await consents.find(server, app()), { kind: 'allowed', granted: ['camera'] });
    for (const other of [fakeServer({ id: 'second' }), fakeServer({ place: 'elsewhere' })])
      assert.deepEqual(await consents.find(other, app()), { kind: 'new' });
    assert.deepEqual(await consents.find(server, app({ uri: 'ui://demo/other' })), { kind: 'new' });
  });

  it('end with a change of the app, and name what was allowed', async () => {
    const consents = new AppConsents(createMemento());
    await consents.remember(server, app(), []);
    const changed = app({ fingerprint: 'two' });
    assert.deepEqual(await consents.find(server, changed), { kind: 'changed', fingerprint: 'one' });
    await consents.remember(server, changed, []);
    assert.deepEqual(await consents.find(server, app()), { kind: 'changed', fingerprint: 'two' });
  });

  it('end with the session where scripts can change unseen, even after one that lasted', async () => {
    const store = createMemento();
    const consents = new AppConsents(store);
    const canChange = app({ canChange: true });
    await consents.remember(server, app(), []);
    await consents.remember(server, canChange, ['camera']);
    const allowed = { kind: 'allowed', granted: ['camera'] };
    assert.deepEqual(await consents.find(server, canChange), allowed);
    assert.deepEqual(await new AppConsents(store).find(server, canChange), { kind: 'new' });
    await consents.forgetAll();
    assert.deepEqual(await consents.find(server, canChange), { kind: 'new' });
  });

  it('are kept for the latest apps', async () => {
    const consents = new AppConsents(createMemento());
    for (let i = 0; i <= maxConsents; i += 1)
      await consents.remember(server, app({ uri: `ui://demo/${i}` }), []);
    assert.equal(consents.all.length, maxConsents);
    assert.deepEqual(await consents.find(server, app({ uri: 'ui://demo/0' })), { kind: 'new' });
  });

  it('are empty where the store is broken or was emptied', async () => {
    const store = createMemento();
    const consents = new AppConsents(store);
    for (const broken of [7, [null, { serverId: 7 }], {}]) {
      await store.update('apps', broken);
      assert.deepEqual(consents.all, []);
    }
    await consents.remember(server, app(), []);
    await consents.forgetAll();
    assert.deepEqual(await consents.find(server, app()), { kind: 'new' });
  });
});
