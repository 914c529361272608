import assert from 'node:assert/strict';
import {
  RecentFolders,
  maxFolderBytes,
  maxFolders,
} from '../../../../src/ui/documents/recentFolders';
import * as vscode from 'vscode';
import { utf8 } from '../../../../src/base/bytes';
import { maxDocumentLength } from '../../../../src/base/text/text';
import { AskedDocument, type DocumentQuestion } from '../../../../src/ui/documents/askedDocument';
import { addFile, MemoryFiles } from '../../../../src/ui/documents/memoryFiles';
import { byUser } from '../../../../src/ui/questions/question';
import { acceptChange } from '../../../../src/config/share/acceptChange';
import type { DocumentInput } from '../../../../src/ui/documents/documentInput';
import { newQuestions } from '../../../support/host/newQuestions';
import { watchPicks } from '../../../support/host/shownPicks';

/** Creates folders whose documents are named after them. */
function createKept() {
  const texts = new Map<string, string>();
  let folders = 0;
  const files = {
    createFolder: () => {
      const folder = (folders += 1);
      const add = (name: string, text: string) => {
        texts.set(`${folder}/${name}`, text);
        return `${folder}/${name}`;
      };
      const dispose = () => {
        for (const key of texts.keys()) if (key.startsWith(`${folder}/`)) texts.delete(key);
      };
      return { add, dispose };
    },
  };
  const kept = new RecentFolders(files as unknown as MemoryFiles, 'log');
  const show = (about: string, text: string, name = 'a.txt') =>
    String(kept.document(about, name, text));
  return { show, texts };
}

describe('Documents that are kept', () => {
  it('are the same for the same thing, with what there is to say of it now', () => {
    const { show, texts } = createKept();
    const first = show('call 1', 'running');
    assert.notEqual(show('call 2', 'other'), first);
    assert.notEqual(show('call 1', 'other name', 'b.txt'), first);
    assert.equal(show('call 1', 'done'), first);
    assert.equal(texts.get(first), 'done');
  });

  it('make room by their bytes, also where one has grown', () => {
    const { show, texts } = createKept();
    const aThird = '€'.repeat(maxFolderBytes / 10);
    for (const about of ['first', 'second', 'third']) show(about, 'text');
    for (const about of ['first', 'second', 'third', 'first']) show(about, aThird);
    assert.deepEqual([...texts.keys()].toSorted(), ['1/a.txt', '2/a.txt', '3/a.txt']);
    show('second', `${aThird}${aThird}`);
    assert.deepEqual([...texts.keys()].toSorted(), ['1/a.txt', '2/a.txt']);
  });

  it('are new ones where the earlier had to make room', () => {
    const { show, texts } = createKept();
    const first = show('call', 'text');
    for (let other = 0; other < maxFolders; other += 1) show(`other ${other}`, 'text');
    assert.equal(texts.size, maxFolders);
    const again = show('call', 'text');
    assert.notEqual(again, first);
    assert.equal(texts.size, maxFolders);
  });
});

describe('A document', () => {
  const files = new MemoryFiles('mcp-workbench-test-documents');
  const kept = new RecentFolders(files, 'log');
  const { workspace } = vscode;
  const { tabGroups } = vscode.window;
  const textAt = (uri: vscode.Uri) =>
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(files.bytesOf(uri));

  before(() => {
    const never = () => ({ dispose: () => {} });
    const openTextDocument = (uri: vscode.Uri) =>
      Promise.resolve({
        uri,
        isDirty: false,
        getText: () => textAt(uri),
        save: () => Promise.resolve(true),
      });
    const events = { onDidChangeTextDocument: never, onDidSaveTextDocument: never };
    Object.assign(workspace, { openTextDocument, ...events });
    Object.assign(vscode.window, { tabGroups: { onDidChangeTabs: never, all: [] } });
  });
  after(() => {
    for (const name of ['openTextDocument', 'onDidChangeTextDocument', 'onDidSaveTextDocument'])
      Reflect.deleteProperty(workspace, name);
    Object.assign(vscode.window, { tabGroups });
    kept.dispose();
    files.dispose();
  });

  const clock = { now: () => 0, quietMs: 0, whenDrawn: () => {} };
  const choice = { id: 'ok', title: 'OK' };
  const ask = (question: Partial<DocumentQuestion>) =>
    AskedDocument.open(
      { name: 'a.json', text: '', permit: byUser(), choices: [choice], ...question },
      files,
      clock,
    );
  const beside = async (content: Uint8Array | string) => {
    const { uri } = await ask({ readOnly: true, files: [{ name: 'b.json', content }] });
    return textAt(vscode.Uri.joinPath(uri, '..', 'b.json'));
  };
  const read: Readonly<Record<string, (text: string) => Promise<string> | string>> = {
    'that is read and decided on': async (text) =>
      textAt((await ask({ text, readOnly: true })).uri),
    'with which another is compared': beside,
    'of a folder': (text) => textAt(kept.add([text]).add('a.json', text)),
    'about something that changes': (text) => textAt(kept.document('it', 'a.json', text)),
    'beside a result or a prompt': (text) =>
      textAt(addFile(kept.add([text]), { name: 'a.txt', content: text })),
  };
  const whole = ['{\n\t"a": "ü 漢 👍🏽 ❤\uFE0F"\n}\n', 'a\r\nb\n', '', `${'x'.repeat(20_000)}\r\n`];
  for (const [what, shownOf] of Object.entries(read))
    it(`${what} shows what is hidden in it, and is the same to the byte where nothing is`, async () => {
      const shown = await shownOf('{\n\t"a": "x\u202Ey\u200B\u{E0041}"\r\n}\uD800');
      assert.equal(shown, '{\n\t"a": "x⟨U+202E⟩y⟨U+200B⟩⟨U+E0041⟩"\n}⟨U+D800⟩');
      for (const text of whole) assert.equal(await shownOf(text), text);
    });

  const hidden = 'x\u202Ey\r\n\u200B';
  const raw: Readonly<Record<string, () => Promise<string> | string>> = {
    'that is edited': async () => textAt((await ask({ text: hidden })).uri),
    'of bytes beside another': () => beside(utf8(hidden)),
    'of bytes in a folder': () => textAt(kept.add([]).addBytes('a.bin', utf8(hidden))),
  };
  for (const [what, textOf] of Object.entries(raw))
    it(`${what} keeps what is hidden in it`, async () => assert.equal(await textOf(), hidden));

  it('that compares a file with what is to be written shows what is hidden in both, before it is written', async () => {
    const picks = watchPicks();
    const shown: string[] = [];
    const input = {
      ask: async (question: DocumentQuestion) => {
        const { uri } = await ask({ ...question, choices: [choice] });
        const other = vscode.Uri.joinPath(uri, '..', question.comparedWith ?? '');
        shown.push(textAt(other), textAt(uri));
      },
    } as unknown as DocumentInput;
    const change = {
      uri: vscode.Uri.file('/mcp.json'),
      before: '{ "args": ["a\u200B"] }',
      after: '{ "args": ["b\u202E"] }',
      title: 'Update',
      yes: 'Write',
      notes: [],
    };
    try {
      const server = { id: 'one', name: 'one' };
      const info = { kind: 'form', server, what: 'a change', asked: byUser() } as const;
      const accepted = newQuestions().ask(
        { info, ask: (context) => acceptChange(change, input, context) },
        new AbortController().signal,
      );
      (await picks.next(/Update/)).choose('Show Changes…');
      (await picks.next(/Update/)).choose('Write');
      const outcome = await accepted;
      assert.equal(outcome.kind === 'answered' && outcome.answer, true);
      assert.deepEqual(shown, ['{ "args": ["a⟨U+200B⟩"] }', '{ "args": ["b⟨U+202E⟩"] }']);
    } finally {
      picks.dispose();
    }
  });

  it('that is read is answered with the text as it came', async () => {
    const asked = await ask({ text: hidden, readOnly: true });
    await asked.answer('ok', byUser());
    assert.deepEqual((await asked.answered).text, hidden);
  });

  it('of nothing but hidden characters is bounded, and counts as what is shown of it', () => {
    const many = '\u00AD'.repeat(maxDocumentLength);
    const shown = textAt(kept.document('many', 'a.txt', many));
    assert.ok(shown.length <= 2 * maxDocumentLength);
    assert.match(shown, /⟩…$|…$/);
  });
});
