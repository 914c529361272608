import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { makePng } from '../../fixtures/demoServer/resources/media';
import type { RecordedRequest } from '../../fixtures/demoModel/record';
import { folderNamed } from '../../support/host/hostApi';
import { maxAnswerImage } from '../../../src/requests/sampling/review/writtenAnswer';
import { poll } from '../../support/poll';
import { eras, replace, useAskingServers, type Era, type WireAnswer } from './askingServers';

const system = '你是一名文件系统助手。';
const question = '当前目录下有哪些文件？';

describe('requests of servers to a language model', function () {
  this.timeout(60_000);
  const asks = useAskingServers();
  const { selectChatModels } = vscode.lm;

  const ask = (era: Era) => asks.call(era, era === '2025' ? 'ask_sampling' : 'ask_model');
  const askWith = (params: object) => asks.call('2025', 'ask_sampling', { params });
  const consent = (era: Era) => asks.picks.next(new RegExp(`^${asks.nameOf(era)} asks: use of`));
  const closed = (era: Era) =>
    asks.picks.next(new RegExp(`^The document of ${asks.nameOf(era)} was closed`));
  const requests = async () =>
    (await vscode.commands.executeCommand<RecordedRequest[]>('demoModel.requests')) ?? [];

  /** Waits for the document of the request after the user chooses to review it. */
  const review = async (era: Era) => {
    (await consent(era)).choose('Review This Request');
    return asks.document();
  };
  const answerText = (answer: WireAnswer | undefined) => {
    const { text } = Object(answer?.result?.['content']) as { text?: string };
    return text ?? '';
  };
  /** Returns the choices above a document without their icons. */
  const choices = async (document: vscode.TextDocument) => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    return lenses.map(({ command }) => command?.title.replace(/^\$\([\w-]+\)\s/, ''));
  };
  /** Resets what was decided for a server. */
  const forget = async (era: Era) => {
    const managing = vscode.commands.executeCommand('mcpWorkbench.manageSampling');
    (await asks.picks.next(/^Language models for servers/)).choose(asks.nameOf(era));
    (await asks.picks.next(/^Language models for asks/)).choose('Reset');
    (await asks.picks.next(/^Language models for servers/)).escape();
    await managing;
  };

  beforeEach(() => vscode.commands.executeCommand('demoModel.clear'));
  afterEach(() => Object.assign(vscode.lm, { selectChatModels }));

  it('say in the question what they want, and show all of it before anything is decided', async () => {
    const long = `Count\u200b: ${'one and '.repeat(500)}two`;
    const asked = askWith({
      messages: [{ role: 'user', content: { type: 'text', text: long } }],
      systemPrompt: system,
      modelPreferences: { hints: [{ name: 'sonnet' }] },
      maxTokens: 77,
    });
    const brief = await consent('2025');
    const labels = brief.pick.items.map(({ label }) => label);
    assert.match(labels.join('\n'), /1 user: "Count⟨U\+200B⟩: one.* and two"/s);
    assert.ok(labels.includes(`systemPrompt: "${system}"`), labels.join('\n'));
    assert.ok(labels.includes('modelPreferences: {"hints":[{"name":"sonnet"}]}'));
    assert.ok(labels.includes('limits: {"maxTokens":77}'));
    assert.equal(brief.pick.activeItems[0]?.label, 'Not Now');
    brief.choose('Show All');
    const whole = await asks.document();
    assert.ok(whole.getText().includes('one and '.repeat(500)));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    (await consent('2025')).choose('Not Now');
    assert.match(await asked.text, /User rejected/);
  });

  for (const era of eras) {
    describe(era, () => {
      const name = asks.nameOf(era);

      /** Checks that only the refusal is sent back: as an error, or by not repeating the call. */
      const assertRefused = async (text: string) => {
        assert.match(text, /User rejected sampling request/);
        const expected = { code: -1, message: 'User rejected sampling request' };
        const answers = await asks.answers(era);
        if (era === '2025')
          assert.deepEqual(
            answers.map(({ error }) => error),
            [expected],
          );
        else assert.deepEqual(answers, []);
      };

      it('are shown whole, sent to the model that is named, and the answer shown before it goes back', async () => {
        const all = await selectChatModels();
        const demo = all.filter((model) => model.name === 'Demo Model');
        Object.assign(vscode.lm, { selectChatModels: () => Promise.resolve(demo) });
        const asked = ask(era);
        const request = await review(era);
        const text = request.getText();
        for (const part of [system, question, '"maxTokens": 100'])
          assert.ok(text.includes(part), `${part} in ${text}`);
        assert.match(text, /asked for its own context to be included\.\s+Nothing is \s*added/);
        assert.deepEqual(await choices(request), [
          'Send to Demo Model',
          'Change Model… (the only model there is)',
          'Write the Answer…',
          'Decline',
        ]);
        assert.deepEqual(await requests(), []);
        await asks.choose(request, 'send');
        const answer = await asks.document();
        assert.match(answer.getText(), /I am the Demo Model/);
        assert.deepEqual(await choices(answer), [
          `Return to ${name}`,
          'Regenerate',
          'Edit Request',
          'Decline',
        ]);
        assert.deepEqual(await asks.answers(era), []);
        await asks.choose(answer, 'return');
        const [returned] = await asks.untilAnswers(era, 1);
        const { role, model, stopReason } = returned?.result ?? {};
        assert.deepEqual([role, model, stopReason], ['assistant', 'demo', 'endTurn']);
        const [sent] = await requests();
        const parts = sent?.messages.map((message) => message.parts);
        assert.deepEqual(parts, [
          [{ type: 'text', text: system }],
          [{ type: 'text', text: question }],
        ]);
        assert.match(await asked.text, /I am the Demo Model/);
      });

      it('go to the model as they were edited, and back as the answer was edited', async () => {
        const asked = ask(era);
        const request = await review(era);
        await replace(request, question, 'What is in src?');
        await asks.choose(request, 'send');
        const answer = await asks.document();
        assert.match(answer.getText(), /What is in src\?/);
        await replace(answer, 'You wrote', 'It heard');
        await asks.choose(answer, 'return');
        const [returned] = await asks.untilAnswers(era, 1);
        assert.match(answerText(returned), /^It heard: .*What is in src\?/);
        await asked.text;
      });

      it('are not granted by “Not Now”, neither this one nor the next', async () => {
        const first = ask(era);
        (await consent(era)).choose('Not Now');
        await assertRefused(await first.text);
        const second = ask(era);
        (await consent(era)).escape();
        await second.text;
        assert.deepEqual(await requests(), []);
      });

      it('are refused with the words of the protocol when the request is denied', async () => {
        const asked = ask(era);
        await asks.choose(await review(era), 'deny');
        await assertRefused(await asked.text);
        assert.deepEqual(await requests(), []);
      });

      it('are refused when the answer is denied', async () => {
        const asked = ask(era);
        await asks.choose(await review(era), 'send');
        await asks.choose(await asks.document(), 'deny');
        await assertRefused(await asked.text);
      });

      it('come back as they were edited where their document is closed, and are refused only on “Decline”', async () => {
        const asked = ask(era);
        const request = await review(era);
        await replace(request, question, 'What is in src?');
        await request.save();
        await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
        (await closed(era)).choose('Back to the Document');
        const again = await asks.document();
        assert.match(again.getText(), /What is in src\?/);
        await asks.choose(again, 'send');
        const answer = await asks.document();
        await replace(answer, 'You wrote', 'It heard');
        await answer.save();
        await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
        (await closed(era)).escape();
        assert.match((await asks.document()).getText(), /It heard/);
        assert.deepEqual(await asks.answers(era), []);
        await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
        (await closed(era)).choose('Decline');
        await assertRefused(await asked.text);
      });

      it('are answered anew as often as the user wants', async () => {
        const asked = ask(era);
        await asks.choose(await review(era), 'send');
        await asks.choose(await asks.document(), 'again');
        await asks.choose(await asks.document(), 'edit');
        await asks.choose(await asks.document(), 'send');
        await asks.choose(await asks.document(), 'return');
        await asked.text;
        assert.equal((await requests()).length, 3);
      });

      it('close when the call that they belong to is cancelled', async () => {
        const asked = ask(era);
        await review(era);
        asked.cancel();
        await asks.noDocument();
        await asked.text;
      });

      it('ask nothing more of who closed them once their call is cancelled', async () => {
        const asked = ask(era);
        await review(era);
        await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
        const leaving = await closed(era);
        asked.cancel();
        await asked.text;
        await poll('the question to go', 20_000, () =>
          Promise.resolve(!leaving.isOpen || undefined),
        );
      });

      it('are answered by the user where the editor has no model, as they write it', async () => {
        Object.assign(vscode.lm, { selectChatModels: () => Promise.resolve([]) });
        const asked = ask(era);
        const request = await review(era);
        assert.match(request.getText(), /No language model is available/);
        assert.deepEqual(await choices(request), ['Write the Answer…', 'Decline']);
        await asks.choose(request, 'write');
        const answer = await asks.document();
        assert.deepEqual(await choices(answer), [
          `Return to ${name}`,
          'Insert Image…',
          'Edit Request',
          'Decline',
          'Open request.txt',
        ]);
        const beside = vscode.Uri.joinPath(answer.uri, '..', 'request.txt');
        const seen = await vscode.workspace.openTextDocument(beside);
        assert.equal(seen.getText(), request.getText());
        await replace(answer, '"endTurn"', '1');
        await asks.choose(answer, 'return');
        await asks.notice('"stopReason" must be a text.');
        assert.deepEqual(await asks.answers(era), []);
        await replace(answer, '"stopReason": 1', '"stopReason": "maxTokens"');
        await replace(answer, '"text": ""', '"text": "Written by me"');
        await asks.choose(answer, 'return');
        const [returned] = await asks.untilAnswers(era, 1);
        assert.deepEqual(returned?.result, {
          role: 'assistant',
          content: { type: 'text', text: 'Written by me' },
          model: 'written-by-hand',
          stopReason: 'maxTokens',
        });
        assert.match(await asked.text, /Written by me/);
        assert.deepEqual(await requests(), []);
      });

      it('come back as they were edited from an answer that is not written after all', async () => {
        const asked = ask(era);
        const request = await review(era);
        await replace(request, question, 'What is in src?');
        await asks.choose(request, 'write');
        await asks.choose(await asks.document(), 'edit');
        const again = await asks.document();
        assert.match(again.getText(), /What is in src\?/);
        await asks.choose(again, 'write');
        await asks.choose(await asks.document(), 'deny');
        await assertRefused(await asked.text);
      });

      for (const [choice, expected] of [
        ['Never', /User rejected sampling request/],
        ['Allow a Budget', /I am the Demo Model/],
      ] as const)
        it(`are not asked about where they wait while one is answered with “${choice}”`, async () => {
          const asked = [ask(era), ask(era), ask(era)];
          const first = await asks.picks.next(new RegExp(`^${name} asks.*: use of`));
          await poll('all to wait', 20_000, () =>
            Promise.resolve(first.title.includes('(1 of 3)') || undefined),
          );
          first.choose(choice);
          for (const { text } of asked) assert.match(await text, expected);
          assert.deepEqual(asks.picks.open, []);
          await forget(era);
        });

      it('are answered unseen within a budget that was allowed, and looked at beyond it', async () => {
        await vscode.workspace
          .getConfiguration('mcpWorkbench')
          .update('sampling.requestsPerHour', 1_000, vscode.ConfigurationTarget.Global);
        const first = ask(era);
        (await consent(era)).choose('Allow a Budget');
        await first.text;
        await ask(era).text;
        assert.equal((await asks.answers(era)).length, 2);
        await vscode.workspace
          .getConfiguration('mcpWorkbench')
          .update('sampling.requestsPerHour', 1, vscode.ConfigurationTarget.Global);
        const third = ask(era);
        const request = await asks.document();
        assert.match(request.getText(), /exceeds the hourly budget/);
        await asks.choose(request, 'deny');
        await third.text;
        await vscode.workspace
          .getConfiguration('mcpWorkbench')
          .update('sampling.requestsPerHour', undefined, vscode.ConfigurationTarget.Global);
        await forget(era);
        const fourth = ask(era);
        (await consent(era)).choose('Not Now');
        await fourth.text;
      });
    });
  }

  it('get no more tokens than they want', async () => {
    const asked = askWith({ maxTokens: 3 });
    await asks.choose(await review('2025'), 'send');
    const answer = await asks.document();
    assert.match(answer.getText(), /the token limit was reached/);
    await asks.choose(answer, 'return');
    const [returned] = await asks.untilAnswers('2025', 1);
    assert.equal(returned?.result?.['stopReason'], 'maxTokens');
    assert.ok(answerText(returned).length <= 12);
    await asked.text;
  });

  it('end at a stop sequence', async () => {
    const asked = askWith({ stopSequences: ['wrote'] });
    await asks.choose(await review('2025'), 'send');
    await asks.choose(await asks.document(), 'return');
    const [returned] = await asks.untilAnswers('2025', 1);
    assert.equal(returned?.result?.['stopReason'], 'stopSequence');
    assert.equal(answerText(returned), 'You ');
    await asked.text;
  });

  it('may have the model call tools, which the server runs: none of this client are offered or run', async () => {
    const content = { type: 'text', text: 'call weather {"city":"Oslo"}' };
    const tool = { name: 'weather', description: 'x', inputSchema: { type: 'object' } };
    const asked = askWith({ messages: [{ role: 'user', content }], tools: [tool] });
    const request = await review('2025');
    assert.match(request.getText(), /none of yours are offered/);
    await asks.choose(request, 'send');
    await asks.choose(await asks.document(), 'return');
    const [returned] = await asks.untilAnswers('2025', 1);
    assert.equal(returned?.result?.['stopReason'], 'toolUse');
    const { type, name, input } = returned.result['content'] as Record<string, unknown>;
    assert.deepEqual([type, name, input], ['tool_use', 'weather', { city: 'Oslo' }]);
    const [sent] = await requests();
    assert.deepEqual(
      sent?.tools.map((each) => each.name),
      ['weather'],
    );
    await asked.text;
  });

  /** Writes an answer, into which the user inserts a file with this content. */
  const inserting = async (
    content: Uint8Array,
    use: (answer: vscode.TextDocument) => Promise<unknown>,
  ) => {
    const uri = vscode.Uri.joinPath(folderNamed('app'), 'answer.png');
    await vscode.workspace.fs.writeFile(uri, content);
    const { showOpenDialog } = vscode.window;
    Object.assign(vscode.window, { showOpenDialog: () => Promise.resolve([uri]) });
    try {
      const asked = askWith({});
      await asks.choose(await review('2025'), 'write');
      await asks.choose(await asks.document(), 'image');
      await use(await asks.document());
      await asked.text;
    } finally {
      Object.assign(vscode.window, { showOpenDialog });
      await vscode.workspace.fs.delete(uri);
    }
  };

  it('are answered with an image that the user chooses', async () => {
    const png = makePng();
    await inserting(png, async (answer) => {
      assert.match(answer.getText(), /image\/png/);
      await asks.choose(answer, 'return');
      const [returned] = await asks.untilAnswers('2025', 1);
      const data = png.toString('base64');
      assert.deepEqual(returned?.result?.['content'], {
        type: 'image',
        data,
        mimeType: 'image/png',
      });
    });
  });

  it('take no image that is too large, and keeps what was written', async () => {
    await inserting(new Uint8Array(maxAnswerImage + 1), async (answer) => {
      await asks.notice('is larger than 1 MB');
      assert.match(answer.getText(), /"text": ""/);
      await asks.choose(answer, 'deny');
    });
  });

  it('may hold images, which the model gets and the user can open', async () => {
    const png = makePng();
    const data = png.toString('base64');
    const content = { type: 'image', data, mimeType: 'image/png' };
    const asked = askWith({ messages: [{ role: 'user', content }] });
    const request = await review('2025');
    assert.ok((await choices(request)).includes('Open media-1.png'));
    await asks.choose(request, 'send');
    await asks.choose(await asks.document(), 'return');
    await asked.text;
    assert.deepEqual(asks.told, []);
    const [sent] = await requests();
    assert.deepEqual(sent?.messages.at(-1)?.parts, [
      { type: 'data', mimeType: 'image/png', data, bytes: png.length },
    ]);
  });

  it('go to another model when the user changes it, who sees why each is where it is', async () => {
    const [demo] = await selectChatModels();
    assert.ok(demo);
    const other = Object.create(demo, {
      id: { value: 'other' },
      name: { value: 'Other Mini' },
    }) as vscode.LanguageModelChat;
    Object.assign(vscode.lm, { selectChatModels: () => Promise.resolve([demo, other]) });
    const asked = askWith({ modelPreferences: { hints: [{ name: 'mini' }] } });
    const request = await review('2025');
    assert.equal((await choices(request))[0], 'Send to Other Mini');
    const changing = asks.choose(request, 'model');
    const pick = await asks.picks.next(/^Model for the request of asks2025/);
    const [first] = pick.pick.items;
    assert.deepEqual([first?.label, first?.detail], ['Other Mini', 'the server suggests “mini”']);
    pick.choose('Demo Model');
    await changing;
    assert.equal((await choices(request))[0], 'Send to Demo Model');
    await asks.choose(request, 'deny');
    await asked.text;
  });
});
