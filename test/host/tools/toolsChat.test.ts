import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { selectTools } from '../../../src/chat/offer/selectTools';
import { choosingOf } from '../../support/host/choosing';
import { watchPicks } from '../../support/host/shownPicks';
import { fakeServer, fakeServers, tool } from '../../support/fakes/fakeServer';
import { openChat } from '../../support/host/openChat';
import { byUser } from '../../../src/ui/questions/question';

describe('the chat', () => {
  it('sends what was attached along when a request is sent again', async () => {
    const { ask, retries } = openChat({ rounds: [new Error('overloaded'), ['Here.']] });
    const references = ['the first note', vscode.Uri.parse('untitled:none')].map((value) => {
      return { id: String(value), value };
    });
    const failed = await ask('What is this?', references);
    const [button] = failed.buttons;
    assert.deepEqual(button?.arguments, ['@mcp What is this?', 2]);
    assert.equal(retries.begin('@mcp What is this?')?.length, 2);
    // The editor adds the file again, but nothing else.
    const again = await ask('What is this?', references.slice(1));
    assert.equal(again.told.split('the first note').length, 2);
    assert.deepEqual(again.buttons, []);
    const anew = await ask('What is this?', []);
    assert.ok(!anew.told.includes('the first note'));
  });

  it('says of tools that are too large for models that they are not offered', async () => {
    const large = tool({ name: 'large', description: 'x'.repeat(100_001) });
    const servers = fakeServers(fakeServer({ tools: [tool({ description: 'small' }), large] }));
    const choosing = choosingOf(servers);
    const picks = watchPicks();
    const selected = selectTools(byUser(), choosing);
    const { pick } = await picks.next(/^Select Tools$/);
    const details = pick.items.slice(1).map(({ detail }) => detail);
    choosing.questions.view?.escape();
    await selected;
    picks.dispose();
    assert.equal(details[0], 'small');
    assert.match(details[1] ?? '', /^Too large or too deep to be offered to models\. · x/);
  });
});
