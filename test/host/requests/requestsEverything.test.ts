import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { useAskingServers } from './askingServers';

const server = 'everything';
const name = 'askseverything';

describe('server-everything', function () {
  this.timeout(60_000);
  const asks = useAskingServers();
  const { openExternal } = vscode.env;
  const next = () => asks.picks.next(/^askseverything asks/);

  before(() => {
    Object.assign(vscode.env, { openExternal: () => Promise.resolve(true) });
  });
  after(() => Object.assign(vscode.env, { openExternal }));

  it('gets an answer of the model that the user looked at', async () => {
    const asked = asks.call(server, 'trigger-sampling-request', { prompt: 'Hello', maxTokens: 50 });
    (await next()).choose('Review This Request');
    const request = await asks.document();
    assert.match(request.getText(), /"temperature": 0\.7/);
    await asks.choose(request, 'send');
    await asks.choose(await asks.document(), 'return');
    assert.match(await asked.text, /LLM sampling result: .*I am the Demo Model/s);
  });

  it('gets its whole form filled in with one Enter for each of its defaults', async () => {
    const asked = asks.call(server, 'trigger-elicitation-request');
    await (await next()).enter('Ada');
    for (let step = await next(); ; step = await next()) {
      if (step.title === `${name} asks: Your answer`) {
        step.choose(`Send to ${name}`);
        break;
      }
      step.accept();
    }
    const text = await asked.text;
    assert.match(text, /User provided the requested information/);
    assert.match(text, /It was a dark and stormy night\..*Monica.*hero-1.*fish-1/s);
  });

  it('hears that its form was declined', async () => {
    const asked = asks.call(server, 'trigger-elicitation-request');
    (await next()).press('Decline');
    assert.match(await asked.text, /User declined/);
  });

  it('gets an answer of the model, and a form, as tasks that it asks for', async () => {
    const sampled = asks.call(server, 'trigger-sampling-request-async', { prompt: 'Hello' });
    (await next()).choose('Review This Request');
    await asks.choose(await asks.document(), 'send');
    await asks.choose(await asks.document(), 'return');
    const text = await sampled.text;
    assert.match(text, /\[COMPLETED\].*Task created.*: completed.*I am the Demo Model/s);
    const asked = asks.call(server, 'trigger-elicitation-request-async');
    (await next()).press('Decline');
    assert.match(await asked.text, /\[DECLINED\].*Task created.*: completed/s);
  });

  it('has a page visited, asked for by a request and by an error', async () => {
    const url = 'https://example.com/connect';
    const asked = asks.call(server, 'trigger-url-elicitation', { url, message: 'Visit' });
    (await next()).choose('Open in Browser');
    assert.match(await asked.text, /accept/i);
    const again = asks.call(server, 'trigger-url-elicitation', {
      url,
      message: 'Visit',
      errorPath: true,
    });
    (await next()).choose('Open in Browser');
    (await asks.notice('Finish on')).press('Continue');
    (await next()).choose('Open in Browser');
    assert.match(await again.text, /accept/i);
  });
});
