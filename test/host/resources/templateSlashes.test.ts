import assert from 'node:assert/strict';
import { UserError } from '../../../src/base/errors';
import { fillTemplate, type TemplateValues } from '../../../src/resources/commands/fillTemplate';
import { fakeServer } from '../../support/fakes/fakeServer';
import { newQuestions } from '../../support/host/newQuestions';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';

const template = { name: 'files', uriTemplate: 'file:///{path}' };

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
          return served.test(uri)
            ? Promise.resolve()
            : Promise.reject(new UserError('It is not there.'));
        };
        const filled = fillTemplate(fakeServer(), template, remembered, use, newQuestions());
        await (await picks.next(/: path$/)).enter(value);
        await filled;
        assert.deepEqual(uris, tried[index]);
      }
    });
});
