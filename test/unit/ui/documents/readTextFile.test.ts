import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { inEnglish } from '../../../../src/base/translate';
import { referenceContent } from '../../../../src/chat/participant/references';
import { readFileText } from '../../../../src/config/fileText';
import { thisDisk } from '../../../../src/config/applications/machine';
import { readCalls, readCallsText } from '../../../../src/testing/callsDocuments';
import {
  openTextFile,
  readFileBytes,
  readFileInUtf8,
} from '../../../../src/ui/documents/readTextFile';
import { thisSystem } from '../../../../src/mcp/node/system';

const isWindows = thisSystem() === 'win32';

describe('a file that others chose', () => {
  let folder = '';
  const at = (name: string) => vscode.Uri.file(join(folder, name));
  const { workspace } = vscode;
  const fs = { ...workspace.fs };
  const opened: string[] = [];
  const unread = () => assert.fail('It was read.');

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-read-'));
    await writeFile(join(folder, 'plain'), '\u{FEFF}123456');
    await mkdir(join(folder, 'folder'));
    if (isWindows) return;
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await symlink('/dev/zero', join(folder, 'device'));
    await symlink('pipe', join(folder, 'to a pipe'));
    await symlink('plain', join(folder, 'to a file'));
    await symlink('nothing', join(folder, 'dangling'));
  });
  after(() => rm(folder, { recursive: true }));

  beforeEach(() => {
    opened.length = 0;
    const openTextDocument = (uri: vscode.Uri) => {
      opened.push(uri.path);
      return Promise.resolve({ uri });
    };
    Object.assign(workspace, { openTextDocument });
  });
  afterEach(() => {
    Reflect.deleteProperty(workspace, 'openTextDocument');
    Object.assign(workspace, { textDocuments: [] });
    Object.assign(workspace.fs, fs);
  });

  const ways: readonly [string, (uri: vscode.Uri) => Promise<unknown>][] = [
    ['as bytes', (uri) => readFileBytes(uri, 100)],
    ['as a text', (uri) => readFileInUtf8(uri, 100)],
    ['as a document', openTextFile],
    ['as a configuration', (uri) => readFileText(uri)],
    ['as a file of another application', (uri) => thisDisk.text(uri.fsPath)],
    ['as saved calls', readCallsText],
  ];
  for (const [how, read] of ways) {
    for (const name of isWindows ? [] : ['pipe', 'device', 'to a pipe', 'dangling'])
      it(`is not read ${how} where it is no file: ${name}`, async () => {
        Object.assign(workspace.fs, { readFile: unread });
        await assert.rejects(read(at(name)), {
          name: 'UserError',
          message: `${at(name).fsPath} is not a file.`,
        });
        assert.deepEqual(opened, []);
      });

    it(`is not read ${how} where it is larger than that can be`, async () => {
      Object.assign(workspace.fs, { readFile: unread });
      const size = 4_000_000_000;
      const file = { type: vscode.FileType.File, size, ctime: 0, mtime: 0 };
      Object.assign(workspace.fs, { stat: () => Promise.resolve(file) });
      await assert.rejects(read(at('plain')), { name: 'UserError', message: /is larger than/ });
      assert.deepEqual(opened, []);
    });
  }

  it('is read whole, also over a link, and without a byte order mark', async () => {
    for (const name of isWindows ? ['plain'] : ['plain', 'to a file']) {
      assert.equal(await readFileInUtf8(at(name), 9), '123456');
      await openTextFile(at(name));
    }
    assert.equal(opened.length, isWindows ? 1 : 2);
    await assert.rejects(readFileInUtf8(at('plain'), 8), /is larger than 8 B\./);
  });

  it('is refused where it turns out to be larger than it was said to be', async () => {
    const file = { type: vscode.FileType.File, size: 0, ctime: 0, mtime: 0 };
    Object.assign(workspace.fs, { stat: () => Promise.resolve(file) });
    await assert.rejects(readFileBytes(at('plain'), 8), /is larger than 8 B\./);
  });

  it('is read as a file of another application, which may be far larger than a configuration', async () => {
    await writeFile(join(folder, 'large'), 'x'.repeat(6_000_000));
    assert.equal((await thisDisk.text(join(folder, 'large')))?.length, 6_000_000);
    await assert.rejects(readFileText(at('large')), /is larger than 5 MB\./);
    assert.equal(await thisDisk.text(join(folder, 'gone')), undefined);
  });

  it('is none where there is a folder, or nothing', async () => {
    assert.equal(await readFileText(at('folder')), undefined);
    assert.equal(await readFileText(at('gone')), undefined);
    assert.equal(await readFileText(at('plain/below')), undefined);
    await assert.rejects(openTextFile(at('folder')));
  });

  it('says why it is no file of saved calls, beside others that are', async () => {
    const { problems, steps } = await readCalls(at(isWindows ? 'plain' : 'pipe'));
    assert.deepEqual([problems.length, steps.length], [1, 0]);
  });

  it('is the document that is open, whatever has become of the file', async () => {
    const document = { uri: at('gone') };
    Object.assign(workspace, { textDocuments: [document] });
    assert.equal(await openTextFile(at('gone')), document);
  });

  for (const [how, length, isLeftOut] of [
    ['as a whole', 4_000_001, true],
    ['a selection of it', 4_000_001, true],
    ['as a whole', 4_000_000, false],
    ['a selection of it', 4_000_000, false],
  ] as const)
    it(`is bounded where it is open and attached to a message, ${how}: ${length} signs`, async () => {
      // Five bytes in four signs.
      const text = 'xxxé'.repeat(1_000_000).padEnd(length, 'x');
      Object.assign(workspace, { textDocuments: [{ uri: at('plain'), getText: () => text }] });
      const range = { start: { line: 0 }, end: { line: 0 } } as vscode.Range;
      const isWhole = how === 'as a whole';
      const value = isWhole ? at('plain') : new vscode.Location(at('plain'), range);
      const { parts, leftOut } = await referenceContent([{ id: '1', value }]);
      assert.equal(leftOut.length, isLeftOut ? 1 : 0);
      if (isLeftOut) assert.match(leftOut[0]?.(inEnglish) ?? '', /plain is larger than 5 MB\./);
      assert.equal(parts.length > 0, !isLeftOut);
    });
});
