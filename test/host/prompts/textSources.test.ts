import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { readGitDiff } from '../../../src/ui/sources/textSources';
import { byUser } from '../../../src/ui/questions/question';

interface GitExports {
  getAPI(version: 1): {
    openRepository(root: vscode.Uri): Promise<{ status(): Promise<void> } | null>;
  };
}

describe('the changes of the working tree', function () {
  this.timeout(60_000);
  let folder = '';

  before(async function () {
    // One of the editors used for tests lacks a module that its Git extension needs, and a machine may lack Git.
    try {
      await vscode.extensions.getExtension('vscode.git')?.activate();
      execFileSync('git', ['--version']);
    } catch {
      await assert.rejects(
        readGitDiff(byUser()),
        /The Git extension of the editor cannot be used: |The editor found no Git: /,
      );
      return this.skip();
    }
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-git-'));
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], {
        cwd: folder,
      });
    git('init', '--quiet');
    await writeFile(join(folder, 'a.txt'), 'one\n');
    await writeFile(join(folder, 'b.txt'), 'two\n');
    git('add', '.');
    git('commit', '--quiet', '--message', 'First');
    await writeFile(join(folder, 'a.txt'), 'changed\n');
    git('add', 'a.txt');
    await writeFile(join(folder, 'b.txt'), 'not staged\n');
  });

  after(async () => {
    if (folder === '') return;
    await vscode.commands.executeCommand('git.close', vscode.Uri.file(folder));
    await rm(folder, { recursive: true, force: true });
  });

  it('say in one sentence that there is no repository', async () => {
    await assert.rejects(readGitDiff(byUser()), /There is no Git repository in this workspace\./);
  });

  it('hold what is staged and what is not', async () => {
    const git = await vscode.extensions.getExtension<GitExports>('vscode.git')?.activate();
    const repository = await git?.getAPI(1).openRepository(vscode.Uri.file(folder));
    assert.ok(repository);
    const diff = await readGitDiff(byUser());
    assert.match(diff ?? '', /\+changed\n/);
    assert.match(diff ?? '', /\+not staged\n/);
  });
});
