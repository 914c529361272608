import assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async';
import { OpenForms } from '../../../../src/ui/questions/openForms';

const name = { server: { id: 'demo' }, form: 'tool/echo' };

function createForms() {
  const shown: string[] = [];
  const forms = new OpenForms(async ({ form }) => void shown.push(form));
  return { forms, shown };
}

describe('Forms of the user’s own', () => {
  it('are shown again, and not opened twice, while they wait', async () => {
    const { forms, shown } = createForms();
    const filledIn = deferred<string>();
    const first = forms.once(name, () => filledIn.promise);
    assert.equal(await forms.once(name, () => Promise.resolve('a second one')), undefined);
    assert.deepEqual(shown, ['tool/echo']);
    filledIn.resolve('text');
    assert.equal(await first, 'text');
    assert.equal(await forms.once(name, () => Promise.resolve('opened anew')), 'opened anew');
    assert.deepEqual(shown, ['tool/echo']);
  });

  for (const [what, other] of [
    ['of another server', { ...name, server: { id: 'other' } }],
    ['for something else', { ...name, form: 'prompt/echo' }],
  ] as const)
    it(`${what} are opened beside it`, async () => {
      const { forms } = createForms();
      const filledIn = deferred<void>();
      const first = forms.once(name, () => filledIn.promise);
      assert.equal(await forms.once(other, () => Promise.resolve('opened')), 'opened');
      filledIn.resolve();
      await first;
    });

  it('may be opened anew once they are answered, while what they were for goes on', async () => {
    const { forms, shown } = createForms();
    const ends = [deferred<void>(), deferred<void>()] as const;
    const runs = ends.map(({ promise }, at) =>
      forms.once(name, (answered) => {
        if (at === 0) answered();
        return promise;
      }),
    );
    ends[0].resolve();
    await runs[0];
    // The first form is over, but the second one is still open.
    await forms.once(name, () => Promise.resolve());
    assert.deepEqual(shown, ['tool/echo']);
    ends[1].resolve();
    await runs[1];
  });

  it('may be opened anew after a failure', async () => {
    const { forms } = createForms();
    await assert.rejects(
      forms.once(name, () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(await forms.once(name, () => Promise.resolve('opened')), 'opened');
  });
});
