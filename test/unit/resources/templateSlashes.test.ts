import assert from 'node:assert/strict';
import { CancelledError, isCancellation, UserError } from '../../../src/base/errors';
import { fillTemplate, type TemplateValues } from '../../../src/resources/commands/fillTemplate';
import { RpcError } from '../../../src/mcp/protocol/rpcError';
import { fakeServer } from '../../support/fakes/fakeServer';
import { newQuestions } from '../../support/host/newQuestions';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';
import { byUser } from '../../../src/ui/questions/question';

const notThere = () =>
  new UserError('It is not there.', { cause: new RpcError(-32002, 'Resource not found') });

const template = { name: 'files', uriTemplate: 'file:///{path}' };

const asker = () => ({
  action: byUser(),
  questions: Object.assign(newQuestions(), { stillBy: () => undefined }),
});

describe('a value with a slash in a template', () => {
  let picks: WatchedPicks;
  beforeEach(() => (picks = watchPicks()));
  afterEach(() => picks.dispose());

  for (const [what, served, tried] of [
    ['is escaped first', /%2F/, [['a%2Fb'], ['c%2Fd']]],
    [
      'is tried as it is where the escaped one is not there, and first from then on',
      /\/b$|\/d$/,
      [['a%2Fb', 'a/b'], ['c/d']],
    ],
  ] as const)
    it(what, async () => {
      const remembered: TemplateValues = { typed: new Map(), slashes: new Set() };
      for (const [index, value] of ['a/b', 'c/d'].entries()) {
        const uris: string[] = [];
        const use = ({ uri }: { readonly uri: string }) => {
          uris.push(uri.replace('file:///', ''));
          return served.test(uri) ? Promise.resolve() : Promise.reject(notThere());
        };
        const filled = fillTemplate(fakeServer(), template, remembered, use, asker());
        await (await picks.next(/: path$/)).enter(value);
        await filled;
        assert.deepEqual(uris, tried[index]);
      }
    });

  /** Opens `a/b`; the first attempts fail with `errors`, in order. */
  const open = async (...errors: readonly Error[]) => {
    const tried: string[] = [];
    const remembered: TemplateValues = { typed: new Map(), slashes: new Set() };
    const use = ({ uri }: { readonly uri: string }) => {
      const error = errors[tried.push(uri) - 1];
      return error ? Promise.reject(error) : Promise.resolve();
    };
    const filled = fillTemplate(fakeServer(), template, remembered, use, asker());
    const ended = filled.then(
      () => undefined,
      (error: unknown) => error,
    );
    await (await picks.next(/: path$/)).enter('a/b');
    return { tried, ended };
  };

  it('is not tried again where the server did not answer', async () => {
    const { tried, ended } = await open(new UserError('It is not running.'));
    await (await picks.next(/: path$/)).enter('c');
    assert.equal(await ended, undefined);
    assert.deepEqual(tried, ['file:///a%2Fb', 'file:///c']);
  });

  it('is given up where the user gives up the second try', async () => {
    const { ended } = await open(notThere(), new CancelledError());
    assert.ok(isCancellation(await ended));
  });
});
