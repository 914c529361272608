import assert from 'node:assert/strict';
import { Command } from '../../../src/ui/ids';
import { fakeServer, tool } from '../../support/fakes/fakeServer';
import { openChat } from '../../support/host/openChat';
import { setSetting } from '../../support/host/toolsSteps';

describe('the button of an app in the chat', () => {
  const servers = [
    fakeServer({
      tools: [
        tool({ name: 'chart', _meta: { ui: { resourceUri: 'ui://demo/view' } } }),
        tool({ name: 'plain' }),
      ],
    }),
  ];
  const result = { content: [{ type: 'text' as const, text: 'the result' }], isError: false };
  /** Returns the titles of the app buttons after a model called a tool, and what the model was told. */
  const call = async (name: string) => {
    const { ask } = openChat({
      servers,
      rounds: [[{ call: name }], ['Done.']],
      run: (asked) =>
        Promise.resolve({
          kind: 'result',
          result,
          arguments: asked.arguments,
          edited: false,
          problems: [],
        }),
    });
    const { buttons, told } = await ask('Draw');
    const titles = buttons.filter(({ command }) => command === Command.showToolApp);
    return { titles: titles.map(({ title }) => title), told };
  };

  afterEach('take the setting back', () => setSetting('apps.open', undefined));

  for (const [mode, expected] of [
    ['ask', ['Open App of demo › chart']],
    ['always', ['Open App of demo › chart']],
    ['never', []],
  ] as const)
    it(`is there with ${mode}: ${expected.length}, and the text goes to the model`, async () => {
      await setSetting('apps.open', mode);
      const { titles, told } = await call('demo__chart');
      assert.deepEqual(titles, expected);
      assert.match(told, /the result/);
    });

  it('is not there for a tool without an app', async () => {
    assert.deepEqual((await call('demo__plain')).titles, []);
  });
});
