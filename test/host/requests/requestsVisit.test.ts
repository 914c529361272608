import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eras, useAskingServers, type Era } from './askingServers';

describe('pages that servers want visited', function () {
  this.timeout(60_000);
  const asks = useAskingServers();
  const { openExternal } = vscode.env;
  const opened: string[] = [];
  const copied = 'https://example.com/connect';

  before(() => {
    Object.assign(vscode.env, {
      openExternal: (uri: vscode.Uri | string) => {
        opened.push(uri.toString());
        return Promise.resolve(true);
      },
    });
  });
  beforeEach(() => {
    opened.length = 0;
  });
  after(() => Object.assign(vscode.env, { openExternal }));

  const next = (era: Era) => asks.picks.next(new RegExp(`^${asks.nameOf(era)} asks`));

  for (const era of eras) {
    describe(era, () => {
      it('are opened only when the user says so, who sees the whole address and its domain', async () => {
        const asked = asks.call(era, 'ask_url');
        const step = await next(era);
        assert.equal(step.pick.prompt, 'Please connect your account');
        assert.ok(step.labels.includes('example.com') && step.labels.includes(copied));
        assert.deepEqual(opened, []);
        step.choose('Open in Browser');
        if (era === '2026') (await asks.notice('Finish on')).press('Continue');
        const [answer] = await asks.untilAnswers(era, 1);
        assert.deepEqual(answer?.result, { action: 'accept' });
        assert.deepEqual(opened, [copied]);
        await asked.text;
      });

      it('are declined by an Enter that was meant for something else', async () => {
        const asked = asks.call(era, 'ask_url');
        (await next(era)).accept();
        assert.deepEqual(await asks.untilAnswers(era, 1), [{ result: { action: 'decline' } }]);
        assert.deepEqual(opened, []);
        await asked.text;
      });

      it('are cancelled by going away', async () => {
        const asked = asks.call(era, 'ask_url');
        (await next(era)).escape();
        assert.deepEqual(await asks.untilAnswers(era, 1), [{ result: { action: 'cancel' } }]);
        await asked.text;
      });
    });
  }

  for (const url of ['http://example.com/', 'javascript:alert(1)', 'file:///etc/passwd', 'nothing'])
    it(`are not even asked about at ${url}, and the server hears why`, async () => {
      const asked = asks.call('2025', 'ask_url', { url });
      const [answer] = await asks.untilAnswers('2025', 1);
      assert.equal(answer?.error?.code, -32602);
      assert.match(answer?.error?.message ?? '', /https/);
      assert.match(asks.told.join(), /"asks2025" wanted to open an address/);
      assert.deepEqual(asks.picks.open, []);
      await asked.text;
    });

  it('show a name of look-alike letters as it is written, and say that it is one', async () => {
    const asked = asks.call('2025', 'ask_url', { url: 'https://login.аpple.com/x' });
    const step = await next('2025');
    const site = step.pick.items.find(({ label }) => label === 'xn--pple-43d.com');
    assert.match(site?.description ?? '', /аpple\.com/);
    assert.ok(step.labels.some((label) => label.includes('look-alike')));
    assert.ok(step.labels.includes('Your decision'));
    step.press('Decline');
    await asked.text;
  });

  it('that a call needs are visited, and the call is made again when the server says so', async () => {
    const asked = asks.call('2025', 'needs_url');
    (await next('2025')).choose('Open in Browser');
    await asks.notice('Finish on example.com to continue');
    await asks.call('2025', 'complete_url').text;
    assert.match(await asked.text, /connected/);
    assert.deepEqual(opened, [copied]);
  });

  it('that a call needs need no visit any more once the server says so', async () => {
    const asked = asks.call('2025', 'needs_url');
    const step = await next('2025');
    await asks.call('2025', 'complete_url').text;
    await step.closed();
    assert.match(await asked.text, /connected/);
    assert.deepEqual(opened, []);
  });

  it('that a call needs are visited, and the call is made again when the user says so', async () => {
    const asked = asks.call('2025', 'needs_url');
    (await next('2025')).choose('Open in Browser');
    (await asks.notice('Finish on')).press('Continue');
    assert.match(await asked.text, /connected/);
  });

  it('that a call needs are declined, and the call fails as the server said', async () => {
    const asked = asks.call('2025', 'needs_url');
    (await next('2025')).press('Decline');
    assert.match(await asked.text, /Connect your account first/);
    await asks.call('2025', 'needs_url').text;
  });
});
