import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DocumentInput } from '../../../../src/ui/documents/documentInput';
import type { ToolCall } from '../../../../src/contracts/toolCalls';
import { LastArguments } from '../../../../src/tools/run/lastArguments';
import { type RunDeps, runWithForm } from '../../../../src/tools/run/runToolCommand';
import { byUser } from '../../../../src/ui/questions/question';
import { askForm } from '../../../../src/ui/steps/schemaForm';
import { fakeServer, tool } from '../../../support/fakes/fakeServer';
import { createMemento } from '../../../support/fakes/memento';
import { newQuestions } from '../../../support/host/newQuestions';
import { watchPicks, type WatchedPicks } from '../../../support/host/shownPicks';
import { poll } from '../../../support/poll';
import { schemaCheck } from '../../../support/schemaChecks';

/** An editor in which a text is selected. */
const editor = {
  document: { getText: () => 'selected' },
  selection: { isEmpty: false },
  selections: [{}],
} as unknown as vscode.TextEditor;

describe('Enter in a choice', function () {
  this.timeout(30_000);
  let picks: WatchedPicks;
  beforeEach(() => (picks = watchPicks()));
  afterEach(() => picks.dispose());

  const open = async (required: boolean) => {
    const properties = { it: { enum: ['red', 'skin', 'Blue'] } };
    const schema = { type: 'object', properties, required: required ? ['it'] : [] };
    const input = {} as DocumentInput;
    const answered = askForm({ title: 'Tool', schema, given: {}, input, schemas: schemaCheck() });
    return { answered, step: await picks.next(/: it$/) };
  };

  for (const required of [true, false])
    for (const [typed, taken] of [
      ['bl', 'Blue'],
      // Not the row that skips the value.
      ['sk', 'skin'],
      ['ed', 'red'],
    ] as const)
      it(`takes what the letters “${typed}” chose, ${required ? 'required' : 'optional'}`, async () => {
        const { answered, step } = await open(required);
        step.pick.value = typed;
        await poll(taken, 5000, () =>
          Promise.resolve(step.pick.activeItems[0]?.label === taken || undefined),
        );
        step.accept();
        assert.deepEqual((await answered).values, { it: taken });
      });
});

describe('the buttons of a form', function () {
  this.timeout(30_000);
  let picks: WatchedPicks;
  beforeEach(() => (picks = watchPicks()));
  afterEach(() => picks.dispose());

  const open = async (property: object) => {
    const schema = { type: 'object', properties: { it: property } };
    const input = {} as DocumentInput;
    void askForm({ title: 'Tool', schema, given: {}, input, editor, schemas: schemaCheck() });
    return picks.next(/: it$/);
  };

  for (const [what, property, buttons] of [
    [
      'a text',
      { type: 'string' },
      ['Insert Selection', 'Edit in an Editor', 'Edit All Values as JSON', 'More Actions…'],
    ],
    [
      'a date',
      { type: 'string', format: 'date' },
      ['Insert Selection', 'Paste from Clipboard', 'Edit All Values as JSON'],
    ],
    ['a number', { type: 'integer' }, ['Edit All Values as JSON']],
    ['a choice', { enum: ['a', 'b'] }, ['Edit All Values as JSON']],
    ['a list', { type: 'array', items: { type: 'string' } }, ['Edit All Values as JSON']],
  ] as const)
    it(`are few, named, and only those that can apply to ${what}`, async () => {
      const step = await open(property);
      assert.deepEqual(step.buttons, buttons);
      step.pick.hide();
    });

  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);
  for (const [what, property, file, bytes, value] of [
    ['bytes', { contentEncoding: 'base64' }, 'a.bin', png, 'iVBORw0KGgoA'],
    ['bytes of a format', { format: 'byte' }, 'a.txt', new Uint8Array([104, 105]), 'aGk='],
    ['an address', { format: 'uri' }, 'a.bin', png, 'data:image/png;base64,iVBORw0KGgoA'],
    [
      'an address of a file that is known by its name',
      { format: 'uri' },
      'b.CSV',
      new Uint8Array([104, 105]),
      'data:text/csv;base64,aGk=',
    ],
    [
      'an address of any text',
      { format: 'uri' },
      'b',
      new Uint8Array([104, 105]),
      'data:text/plain;base64,aGk=',
    ],
  ] as const)
    it(`put a file in the place of ${what}`, async () => {
      const { findFiles, fs, workspaceFolders } = vscode.workspace;
      const { showQuickPick } = vscode.window;
      const uri = vscode.Uri.file(`/w/${file}`);
      Object.assign(vscode.workspace, {
        workspaceFolders: [{ uri: vscode.Uri.file('/w'), name: 'w', index: 0 }],
        findFiles: async () => [uri],
        fs: {
          stat: async () => ({ type: vscode.FileType.File, size: bytes.length }),
          readFile: async () => bytes,
        },
      });
      Object.assign(vscode.window, {
        showQuickPick: async (rows: Promise<readonly vscode.QuickPickItem[]>) => (await rows)[0],
      });
      try {
        const step = await open({ type: 'string', default: 'old', ...property });
        const shown = step.whenShown();
        assert.match(step.buttons[0] ?? '', /^Insert a File as (?:Base64|Data URL)…$/);
        step.press(step.buttons[0] ?? '');
        await shown;
        await step.settled();
        assert.equal(step.pick.value, value);
        step.pick.hide();
      } finally {
        Object.assign(vscode.workspace, { findFiles, fs, workspaceFolders });
        Object.assign(vscode.window, { showQuickPick });
      }
    });

  it('have the others in a menu behind the last one', async () => {
    const { showQuickPick } = vscode.window;
    let menu: readonly string[] = [];
    const step = await open({ type: 'string' });
    const shown = step.whenShown();
    Object.assign(vscode.window, {
      showQuickPick: async (rows: readonly vscode.QuickPickItem[]) => {
        menu = rows.map(({ label }) => label);
        return rows.find(({ label }) => label === 'Insert Active File');
      },
    });
    try {
      step.press('More Actions…');
      await shown;
      await step.settled();
    } finally {
      Object.assign(vscode.window, { showQuickPick });
    }
    assert.deepEqual(menu.slice(0, 2), ['Insert Active File', 'Paste from Clipboard']);
    assert.equal(step.pick.value, 'selected');
    step.pick.hide();
  });
});

describe('the form of a tool that may run as a task', function () {
  this.timeout(30_000);
  const { createInputBox } = vscode.window;
  let picks: WatchedPicks;
  let boxes: (vscode.InputBox & { enter?: (text: string) => void })[] = [];
  beforeEach(() => {
    picks = watchPicks();
    boxes = [];
    vscode.window.createInputBox = () => {
      const box: (typeof boxes)[number] = createInputBox();
      const accepted: (() => void)[] = [];
      const { onDidAccept } = box;
      Object.assign(box, {
        onDidAccept: (listener: () => void) => (accepted.push(listener), onDidAccept(listener)),
        enter: (text: string) => {
          box.value = text;
          for (const listener of accepted) listener();
        },
      });
      boxes.push(box);
      return box;
    };
  });
  afterEach(() => {
    picks.dispose();
    Object.assign(vscode.window, { createInputBox });
  });

  const run = async (
    taskSupport: 'optional' | 'required',
    use: (step: Awaited<ReturnType<WatchedPicks['next']>>) => void,
    ttls: readonly string[] = [],
    begin: Pick<ToolCall, 'asTask'> = {},
  ) => {
    const one = tool({
      name: 'one',
      inputSchema: { type: 'object', required: ['it'], properties: { it: { type: 'number' } } },
      execution: { taskSupport },
    });
    const server = fakeServer({ tools: [one] });
    const capabilities = { tasks: { requests: { tools: { call: {} } } } };
    server.become({ kind: 'running', info: { protocolVersion: '2025-11-25', capabilities } });
    const calls: ToolCall[] = [];
    boxes = [];
    const deps = {
      last: new LastArguments(createMemento()),
      gate: { run: async (call: ToolCall) => (calls.push(call), { kind: 'denied' }) },
      questions: Object.assign(newQuestions(), { turnedAway: () => false }),
      schemas: schemaCheck(),
      input: {},
    } as unknown as RunDeps;
    const start = { given: {}, ...begin };
    const ran = runWithForm(byUser(), { server, tool: one }, start, deps, editor);
    const step = await picks.next(/ it$|it · | it/);
    use(step);
    await step.enter('1');
    for (const text of ttls) {
      const box = await poll('the box', 5000, () => Promise.resolve(boxes.at(-1)));
      box.enter?.(text);
    }
    await ran;
    return calls.map(({ asTask }) => asTask);
  };

  it('has a button for each way to run it, and its title says which was chosen', async () => {
    const direct = await run('optional', (step) => {
      assert.deepEqual(step.buttons.slice(-2), ['Run as Task…', 'Run Without a Task']);
      step.press('Run Without a Task');
      assert.match(step.title, /Run Without a Task/);
    });
    assert.deepEqual(direct, [false]);
    const again = await run('required', (step) => {
      assert.ok(!step.buttons.includes('Run Without a Task'));
      step.press('Run as Task…');
      step.press('Run as Task…');
      assert.doesNotMatch(step.title, /Task/);
    });
    assert.deepEqual(again, [undefined]);
    const kept = (step: { press(label: string): void; readonly title: string }) => {
      assert.match(step.title, /Run as Task/);
      step.press('Run as Task…');
      assert.doesNotMatch(step.title, /Task/);
    };
    assert.deepEqual(await run('optional', kept, [], { asTask: 5000 }), [undefined]);
  });

  it('asks how long the result is to be kept, and takes nothing that is no such time', async () => {
    const wanted = (step: { press(label: string): void }) => step.press('Run as Task…');
    assert.deepEqual(await run('optional', wanted, ['']), [0]);
    const refused = ['-1', '1.5', 'a', '2592000001'];
    assert.deepEqual(await run('required', wanted, [...refused, '2592000000']), [2_592_000_000]);
  });
});
