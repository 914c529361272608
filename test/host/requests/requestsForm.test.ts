import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { untilEditorCaughtUp } from '../../../src/ui/editorCommands';
import { textOnDisk } from '../../support/host/hostApi';
import { poll } from '../../support/poll';
import { eras, replace, useAskingServers, type Era } from './askingServers';

const form = {
  message: 'What is your name?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name' },
      color: { type: 'string', enum: ['red', 'green'], default: 'green' },
    },
    required: ['name'],
  },
};

describe('forms of servers', function () {
  this.timeout(60_000);
  const asks = useAskingServers();

  const ask = (era: Era) =>
    era === '2025'
      ? asks.call(era, 'ask_elicitation', { params: form })
      : asks.call(era, 'ask_name');

  it('show all fields at once, each of which is one click away, and lose nothing on the way', async () => {
    const requestedSchema = {
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Name', description: 'As on\u200b the door' },
        color: { type: 'string', enum: ['red', 'green'], default: 'green' },
        age: { type: 'integer', minimum: 0, maximum: 150 },
        password: { type: 'string' },
        tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      },
      required: ['name', 'age'],
    };
    const asked = asks.call('2025', 'ask_elicitation', { params: { ...form, requestedSchema } });
    const next = () => asks.picks.next(/^asks2025 asks/);
    const rowOf = (step: Awaited<ReturnType<typeof next>>, label: string) => {
      const at = step.labels.indexOf('all fields: select one to go there');
      const row = step.pick.items.slice(at).find((one) => one.label === label);
      assert.ok(at >= 0 && row, step.labels.join());
      return row;
    };
    const goTo = async (step: Awaited<ReturnType<typeof next>>, label: string) => {
      // What was typed is checked, and rows drawn, at their own pace.
      for (let stayed = 0; stayed < 3; stayed += 1) {
        await new Promise((resolve) => setTimeout(resolve));
        await untilEditorCaughtUp();
        if (step.pick.activeItems[0]?.label === label) continue;
        step.pick.activeItems = [rowOf(step, label)];
        stayed = 0;
      }
      step.click(label);
    };
    const first = await next();
    const said = ['Name', 'color', 'age', 'password', 'tags'].map((label) => {
      const { description, detail } = rowOf(first, label);
      return [description, detail].filter(Boolean).join(' | ');
    });
    assert.deepEqual(said, [
      'required · a text | As on⟨U+200B⟩ the door',
      'optional · red / green · = green',
      'required · a whole number (0…150)',
      'optional · a text | ⚠ This looks like a secret. Servers must not ask for secrets in a form.',
      'optional · a / b',
    ]);
    await first.type('Ad');
    await goTo(first, 'age');
    const age = await next();
    assert.equal(age.title, 'asks2025 asks: age');
    await age.type('40');
    await goTo(age, 'color');
    const color = await next();
    assert.equal(color.title, 'asks2025 asks: color');
    await goTo(color, 'Name');
    const name = await next();
    assert.equal(name.pick.value, 'Ad');
    assert.equal(rowOf(name, 'age').description, 'required · a whole number (0…150) · = 40');
    await name.type('Ada');
    // As if Enter came before the editor had drawn the row of what was typed.
    name.click('password');
    const last = await next();
    assert.equal(last.title, 'asks2025 asks: color');
    last.press('Decline');
    await asked.text;
  });

  for (const era of eras) {
    describe(era, () => {
      const name = asks.nameOf(era);
      const next = () => asks.picks.next(new RegExp(`^${name} asks`));

      it('are filled in step by step, looked at, and sent as they were filled in', async () => {
        const asked = ask(era);
        const first = await next();
        assert.equal(first.title, `${name} asks: Name`);
        assert.match(first.pick.prompt ?? '', /What is your name\?/);
        await first.enter('Ada');
        const second = await next();
        assert.equal(second.title, `${name} asks: color`);
        second.choose('red');
        const review = await next();
        assert.equal(review.title, `${name} asks: Your answer`);
        review.choose(`Send to ${name}`);
        const content = { name: 'Ada', color: 'red' };
        assert.deepEqual(await asks.untilAnswers(era, 1), [
          { result: { action: 'accept', content } },
        ]);
        assert.match(await asked.text, /Ada/);
      });

      it('keep what was filled in when one goes back, and begin with the defaults', async () => {
        const asked = ask(era);
        await (await next()).enter('Grace');
        const second = await next();
        assert.equal(second.pick.activeItems[0]?.label, 'green');
        second.back();
        const first = await next();
        assert.equal(first.pick.value, 'Grace');
        first.accept();
        (await next()).accept();
        (await next()).choose(`Send to ${name}`);
        const [answer] = await asks.untilAnswers(era, 1);
        assert.deepEqual(answer?.result?.['content'], { name: 'Grace', color: 'green' });
        await asked.text;
      });

      it('can be edited as one document, which is checked', async () => {
        const asked = ask(era);
        (await next()).press('Edit All Values as JSON');
        const document = await asks.document();
        await asks.choose(document, 'done');
        assert.match(asks.told.join(), /name/);
        assert.deepEqual(await asks.answers(era), []);
        await replace(document, '"color": "green"', '"color": "red", "name": "Edith"');
        await asks.choose(document, 'done');
        const [answer] = await asks.untilAnswers(era, 1);
        assert.deepEqual(answer?.result, {
          action: 'accept',
          content: { name: 'Edith', color: 'red' },
        });
        await asked.text;
      });

      it('have the document that could not be read yet when they are asked anew', async () => {
        const first = ask(era);
        (await next()).press('Edit All Values as JSON');
        const left = await asks.document();
        await replace(left, '"color": "green"', '"color": "green", "name": "half-writ');
        await left.save();
        await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
        await first.text;
        const second = ask(era);
        (await next()).press('Edit All Values as JSON');
        const kept = await asks.document();
        await replace(kept, 'half-writ', 'half-written"');
        await asks.choose(kept, 'done');
        assert.match(await second.text, /half-written/);
      });

      it('have what was typed into the document when the call was cancelled', async () => {
        const first = ask(era);
        (await next()).press('Edit All Values as JSON');
        const document = await asks.document();
        await replace(document, '"color": "green"', '"color": "green", "name": "Lin"');
        first.cancel();
        await first.text;
        await asks.noDocument();
        const second = ask(era);
        const step = await next();
        assert.equal(step.pick.value, 'Lin');
        step.press('Decline');
        await second.text;
      });

      it('are declined with a button of every step, which is not to cancel', async () => {
        const asked = ask(era);
        (await next()).press('Decline');
        assert.deepEqual(await asks.untilAnswers(era, 1), [{ result: { action: 'decline' } }]);
        assert.match(await asked.text, /decline/);
      });

      it('are cancelled by going away, and what was filled in is there when they are asked anew', async () => {
        const first = ask(era);
        await (await next()).enter('Ada');
        (await next()).escape();
        assert.deepEqual(await asks.untilAnswers(era, 1), [{ result: { action: 'cancel' } }]);
        await first.text;
        const second = ask(era);
        const step = await next();
        assert.equal(step.pick.value, 'Ada');
        step.press('Decline');
        await second.text;
      });

      it('close when the call that they belong to is cancelled', async () => {
        const asked = ask(era);
        const step = await next();
        asked.cancel();
        await step.closed();
        await asked.text;
      });

      it('close when the server dies', async () => {
        const asked = ask(era);
        const step = await next();
        await asks.call(era, 'crash').text;
        await step.closed();
        assert.match(await asked.text, /exited|ended|closed/);
      });
    });
  }

  const next = () => asks.picks.next(/^asks2025 asks/);
  const askFor = (properties: object, required: readonly string[] = []) => {
    const requestedSchema = { type: 'object', properties, required };
    return asks.call('2025', 'ask_elicitation', { params: { message: 'Please', requestedSchema } });
  };

  it('say in place what does not fit, by the format, the bounds and what is required', async () => {
    const asked = askFor(
      {
        mail: { type: 'string', format: 'email' },
        age: { type: 'integer', minimum: 18, maximum: 99 },
        tags: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, maxItems: 2 },
      },
      ['mail', 'age'],
    );
    const mail = await next();
    await mail.says(/\) · an email address · /);
    await mail.enter('nobody');
    await mail.says(/^Not an email address\.$/);
    await mail.enter('ada@example.com');
    const age = await next();
    await age.enter('17');
    await age.says(/^Must be 18 or more\.$/);
    await age.enter('18');
    const tags = await next();
    await tags.says(/\) · choose up to 2 · /);
    tags.choose('a', 'b', 'c');
    await tags.says(/^At most 2 entries\.$/);
    tags.choose('a', 'c');
    (await next()).choose('Send to asks2025');
    const [answer] = await asks.untilAnswers('2025', 1);
    const content = { mail: 'ada@example.com', age: 18, tags: ['a', 'c'] };
    assert.deepEqual(answer?.result?.['content'], content);
    await asked.text;
  });

  for (const [bounds, hint] of [
    [{}, /\) · Please/],
    [{ minItems: 0 }, /\) · Please/],
    [{ minItems: 0, maxItems: 2 }, /\) · choose up to 2 · /],
    [{ minItems: 1 }, /\) · choose at least 1 · /],
    [{ minItems: 1, maxItems: 2 }, /\) · choose 1 to 2 · /],
    [{ minItems: 2, maxItems: 2 }, /\) · choose 2 · /],
  ] as const)
    it(`say how many of several to choose: ${JSON.stringify(bounds)}`, async () => {
      const items = { type: 'string', enum: ['a', 'b', 'c'] };
      const asked = askFor({ tags: { type: 'array', items, ...bounds } });
      const step = await next();
      await step.says(hint);
      step.press('Decline');
      await asked.text;
    });

  it('warn of a field that looks like a secret', async () => {
    const asked = askFor({ apiKey: { type: 'string', title: 'Your key' } });
    const step = await next();
    assert.match(step.pick.prompt ?? '', /looks like a secret/);
    step.press('Decline');
    await asked.text;
  });

  it('keep for the next time only what the user filled in, and no secret', async () => {
    const properties = {
      city: { type: 'string' },
      code: { type: 'string', title: 'Password' },
      size: { type: 'integer', default: 3 },
    };
    const first = askFor(properties);
    await (await next()).enter('Oslo');
    await (await next()).enter('hunter2');
    (await next()).escape();
    await first.text;
    const second = askFor(properties);
    const step = await next();
    step.press('Edit All Values as JSON');
    const document = await asks.document();
    const { $schema: _, ...values } = JSON.parse(document.getText()) as Record<string, unknown>;
    assert.deepEqual(values, { city: 'Oslo', size: 3 });
    await asks.choose(document, 'decline');
    await second.text;
  });

  it('take the path of a workspace folder', async () => {
    const { showWorkspaceFolderPick } = vscode.window;
    const folder = vscode.workspace.workspaceFolders?.[1];
    assert.ok(folder);
    vscode.window.showWorkspaceFolderPick = () => Promise.resolve(folder);
    try {
      const asked = askFor({ where: { type: 'string' } });
      const step = await next();
      await step.type('in:');
      step.press('Insert Workspace Folder');
      await poll('the path behind what was typed', 20_000, () =>
        Promise.resolve(step.pick.value === `in:${folder.uri.fsPath}` || undefined),
      );
      step.press('Decline');
      await asked.text;
    } finally {
      vscode.window.showWorkspaceFolderPick = showWorkspaceFolderPick;
    }
  });

  it('wait in a window that has not the focus, until they are opened', async () => {
    const { state } = vscode.window;
    const give = (now: vscode.WindowState) =>
      Object.defineProperty(vscode.window, 'state', { configurable: true, get: () => now });
    give({ ...state, focused: false });
    try {
      const asked = askFor({ where: { type: 'string' } });
      await asks.call('2025', 'echo').text;
      assert.deepEqual(asks.picks.open, []);
      // The request may still be being read; other tests check its schema.
      await poll('the question', 20_000, async () => {
        await vscode.commands.executeCommand('mcpWorkbench.showQuestions');
        return asks.picks.open.length > 0 || undefined;
      });
      (await next()).press('Decline');
      await asked.text;
    } finally {
      give(state);
    }
  });

  const long = `${'Please think about it. '.repeat(40)}Is that all right?`;
  const askLong = () => {
    const description = 'What you make of it. '.repeat(40);
    const properties = { a: { type: 'string', title: 'Opinion', description } };
    const requestedSchema = { type: 'object', properties };
    return asks.call('2025', 'ask_elicitation', { params: { message: long, requestedSchema } });
  };

  it('say where a long question is cut, and make room for all of it in an editor', async () => {
    const asked = askLong();
    const step = await next();
    assert.match(
      step.pick.prompt ?? '',
      /\) · What you make.*… · Please think.*… \(cut: .*Show in Editor/,
    );
    step.press('Show in Editor');
    const document = await asks.document();
    assert.ok(document.getText().includes(`Question\n  ${long}\n`));
    assert.ok(document.getText().includes('Field: Opinion\n  What you make of it.'));
    const back = step.whenShown();
    await asks.choose(document, 'close');
    await back;
    await step.enter('Good');
    const review = await next();
    assert.match(review.pick.prompt ?? '', /\(cut: .*Show in Editor/);
    review.choose('Send to asks2025');
    const [answer] = await asks.untilAnswers('2025', 1);
    assert.deepEqual(answer?.result, { action: 'accept', content: { a: 'Good' } });
    await asks.noDocument();
    await asked.text;
  });

  it('stand above the document in which they are answered, with all of it beside', async () => {
    const asked = askLong();
    (await next()).press('Edit All Values as JSON');
    const document = await asks.document();
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    const titles = lenses.map(({ command }) => command?.title ?? '');
    assert.ok(
      titles.some((title) => title.startsWith('Asked: Please think')),
      titles.join('\n'),
    );
    const beside = vscode.Uri.joinPath(document.uri, '..', 'question.txt');
    assert.equal(await textOnDisk(beside), long);
    await asks.choose(document, 'decline');
    assert.deepEqual(await asks.untilAnswers('2025', 1), [{ result: { action: 'decline' } }]);
    await asked.text;
  });

  it('show what a server wrote as text, hidden characters included', async () => {
    const message = 'Hi $(bug) \u202Eback';
    const requestedSchema = {
      type: 'object',
      properties: { a: { type: 'string', title: '$(x)' } },
    };
    const asked = asks.call('2025', 'ask_elicitation', { params: { message, requestedSchema } });
    const step = await next();
    assert.match(step.pick.prompt ?? '', /⟨U\+202E⟩back/);
    assert.doesNotMatch(step.title + (step.pick.prompt ?? ''), /\$\(/);
    step.press('Decline');
    await asked.text;
  });
});
