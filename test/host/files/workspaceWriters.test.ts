import assert from 'node:assert/strict';
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { AdmittedServers } from '../../../src/config/add/admission';
import { writeServers } from '../../../src/config/add/writeServers';
import { removeEntry, writeEntry } from '../../../src/config/places/writeEntry';
import type { ConfigLayer } from '../../../src/config/configLayer';
import { writeChange } from '../../../src/config/share/acceptChange';
import type { PromptDraft } from '../../../src/contracts/promptDraft';
import { saveMarkdown } from '../../../src/prompts/delivery/deliverPrompt';
import { saveAs, saveInto } from '../../../src/resources/commands/saveResources';
import { snapshotsBeside } from '../../../src/testing/callsDocuments';
import { saveAsTest } from '../../../src/testing/saveAsTest';
import type { Questions } from '../../../src/ui/questions/questions';
import { updateStep } from '../../../src/testing/callsRuns';
import type { CallsDeps } from '../../../src/testing/callsRuns';
import { saveExport } from '../../../src/ui/files/saveExport';
import { fakeServer, fakeServers, tool } from '../../support/fakes/fakeServer';
import { folderNamed, writer } from '../../support/host/hostApi';
import { watchExports } from '../../support/host/watchExports';
import { repositoryRoot } from '../../support/paths';
import { byUser, type UserAction } from '../../../src/ui/questions/question';

const servers = AdmittedServers.admit([{ name: 'added', server: { command: 'node' } }], []);
const entry = '{ "servers": { "one": { "command": "node" } } }';
const calls = JSON.stringify({ from: 'fake', steps: [{ name: 'a', call: 'called' }] });

interface Writes {
  /** The file in `src` that writes. */
  readonly file: string;
  /** What the file has that the link leads to. */
  readonly before?: string;
  /** Writes to a file of this path, or below the folder with that name. */
  readonly write: (path: string) => Promise<unknown>;
}

const layer = (path: string): ConfigLayer => ({
  scope: 'folder',
  label: 'docs/link.json',
  uri: vscode.Uri.file(path).toString(),
  folder: { uri: folderNamed('docs').toString(), name: 'docs' },
  entries: [],
  inputs: undefined,
  problems: [],
});
const documentNamed = (name: string) => [
  {
    uri: vscode.Uri.parse('mcp-resource:/x'),
    document: { name, uri: 'x:y', bytes: new Uint8Array([1]), mimeType: undefined },
  },
];
/** Answers the dialog for a file with the link. */
const chosen = async (path: string, run: () => Promise<unknown>) => {
  const dialogs = watchExports(path);
  try {
    await run();
  } finally {
    dialogs.dispose();
  }
};

/** What saving needs; nothing is asked of the user, who waits for it. */
const questions = { untilFree: (action: UserAction) => Promise.resolve(action) } as Questions;
const saving = () => ({ writer, questions, action: byUser() });

/** Everything that writes a file which is not the extension's own. */
const writers: Readonly<Record<string, Writes>> = {
  'a snapshot': {
    file: 'testing/callsDocuments.ts',
    write: (path) => snapshotsBeside(vscode.Uri.file(path), writer).write('link.json', '{}'),
  },
  'an updated expectation': {
    file: 'testing/callsRuns.ts',
    before: calls,
    write: (path) => {
      const server = fakeServer({ name: 'fake', tools: [tool({ name: 'called' })] });
      const result = { content: [{ type: 'text', text: 'from the server' }] };
      const deps = {
        servers: fakeServers(server),
        starts: {
          start: () => Promise.resolve([]),
          startBeside: () => Promise.resolve({ server, end: () => Promise.resolve() }),
        },
        consent: { allows: () => Promise.resolve(true) },
        gate: { run: () => Promise.resolve({ kind: 'result', result, problems: [] }) },
        writer,
      } as unknown as CallsDeps;
      return updateStep(vscode.Uri.file(path), 'a', deps);
    },
  },
  'a saved call': {
    file: 'testing/saveAsTest.ts',
    before: calls,
    write: async (path) => {
      const { findFiles } = vscode.workspace;
      const { showQuickPick } = vscode.window;
      const pickFirst = (rows: readonly unknown[]) => Promise.resolve(rows[0]);
      Object.assign(vscode.workspace, { findFiles: async () => [vscode.Uri.file(path)] });
      Object.assign(vscode.window, { showQuickPick: pickFirst });
      try {
        const call = {
          server: { id: 'x', name: 'fake' },
          tool: tool({ name: 'a' }),
          arguments: {},
        };
        await saveAsTest(byUser(), {}, () => call, writer);
      } finally {
        Object.assign(vscode.workspace, { findFiles });
        Object.assign(vscode.window, { showQuickPick });
      }
    },
  },
  'an exported list': {
    file: 'ui/files/saveExport.ts',
    write: (path) =>
      chosen(path, () =>
        saveExport(byUser(), {
          title: 'Export',
          name: 'x',
          filters: {},
          writer,
          exported: () => ({ text: 'exported', told: () => '' }),
        }),
      ),
  },
  'a prompt': {
    file: 'prompts/delivery/deliverPrompt.ts',
    write: (path) => {
      const prompt = { name: 'p' };
      const draft: PromptDraft = {
        server: { id: 'x', name: 'x' },
        prompt,
        messages: [],
        arguments: {},
      };
      return chosen(path, () => saveMarkdown({ draft, permit: byUser() }, writer));
    },
  },
  'a resource in a chosen file': {
    file: 'resources/commands/saveResources.ts',
    write: (path) => chosen(path, () => saveAs(documentNamed('link.json') as never, saving())),
  },
  'a resource in a folder': {
    file: 'resources/commands/saveResources.ts',
    write: (path) =>
      saveInto(vscode.Uri.file(join(path, '..')), documentNamed('link.json') as never, saving()),
  },
  'a server that is added': {
    file: 'config/add/writeServers.ts',
    before: entry,
    write: (path) => writeServers(layer(path), servers, writer),
  },
  'a server that changes': {
    file: 'config/places/writeEntry.ts',
    before: entry,
    write: (path) => writeEntry(layer(path), 'one', 'dev', { watch: 'x' }, writer),
  },
  'a server that is removed': {
    file: 'config/places/writeEntry.ts',
    before: entry,
    write: (path) => removeEntry(layer(path), 'one', writer),
  },
  'a change that was agreed to': {
    file: 'config/share/acceptChange.ts',
    write: (path) =>
      writeChange({ uri: vscode.Uri.file(path), before: 'precious', after: 'x' }, writer),
  },
};

/** What has a table of links of its own. */
const elsewhere = { 'skills/workspaceSkill.ts': 'skills/workspaceSkill.test.ts' };

describe('a file of the workspace', function () {
  this.timeout(60_000);
  let outside = '';
  let inside = '';

  beforeEach(async () => {
    outside = await realpath(await mkdtemp(join(tmpdir(), 'mcp-workbench-writers-')));
    inside = join(folderNamed('docs').fsPath, 'links');
    await mkdir(inside);
    await mkdir(join(outside, 'folder'));
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(inside, { recursive: true });
    await rm(outside, { recursive: true });
  });

  for (const [what, { before = 'precious', write }] of Object.entries(writers)) {
    it(`is not written through a link: ${what}`, async () => {
      const [target, link] = [join(outside, 'target'), join(inside, 'link.json')];
      await writeFile(target, before);
      await symlink(target, link);
      await assert.rejects(write(link), /is a link that leads out of the folder\./);
      assert.ok((await lstat(link)).isSymbolicLink());
      assert.equal(await readFile(target, 'utf8'), before);
      assert.deepEqual(await readdir(outside), ['folder', 'target']);
    });

    it(`is not written below a link of a folder: ${what}`, async () => {
      await symlink(join(outside, 'folder'), join(inside, 'folder'));
      await writeFile(join(outside, 'folder', 'link.json'), before);
      const path = join(inside, 'folder', 'link.json');
      await assert.rejects(write(path), /is a link that leads out of the folder\./);
      assert.equal(await readFile(join(outside, 'folder', 'link.json'), 'utf8'), before);
      assert.deepEqual(await readdir(join(outside, 'folder')), ['link.json']);
    });
  }

  it('of the user’s own, outside of the workspace, may be a link', async () => {
    const [target, link] = [join(outside, 'target'), join(outside, 'link.json')];
    await writeFile(target, entry);
    await symlink(target, link);
    const uri = vscode.Uri.file(link).toString();
    await writeServers({ scope: 'user', label: 'mine', uri }, servers, writer);
    assert.match(await readFile(target, 'utf8'), /"added"/);
    assert.ok((await lstat(link)).isSymbolicLink());
  });

  it('of settings is not written by the editor where it is a link out of its folder', async () => {
    const root = folderNamed('docs');
    const link = join(root.fsPath, '.vscode', 'settings.json');
    const target = join(outside, 'target');
    await writeFile(target, '{}');
    await symlink(target, link);
    try {
      const { WorkspaceFolder } = vscode.ConfigurationTarget;
      await assert.rejects(
        writer.updateSetting('mcpWorkbench.roots.added', [], WorkspaceFolder, root),
        /is a link that leads out of the folder\./,
      );
      assert.equal(await readFile(target, 'utf8'), '{}');
    } finally {
      await rm(link);
    }
  });

  it('is written by nothing that these tests do not know', async () => {
    const known = new Set([
      ...Object.values(writers).map(({ file }) => file),
      ...Object.keys(elsewhere),
    ]);
    const source = join(repositoryRoot, 'src');
    const files = (await readdir(source, { recursive: true }))
      .filter((one) => one.endsWith('.ts'))
      .map((one) => one.replaceAll('\\', '/'));
    const found: string[] = [];
    for (const file of files) {
      const text = await readFile(join(source, file), 'utf8');
      if (!file.startsWith('base') && /\bwriter\s*\.(?:write|replaceText|remove)\(/.test(text))
        found.push(file);
    }
    assert.deepEqual(found.toSorted(), [...known].toSorted());
  });
});
