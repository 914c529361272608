import assert from 'node:assert/strict';
import { AuthServer } from '../fixtures/authServer/authServer';
import { ProtectedServer } from '../fixtures/authServer/protectedServer';
import { openPageWindow } from '../support/workbench/pageWindow';
import { startServer, untilRow } from '../support/workbench/serverSteps';

describe('a window that is nothing but a page', function () {
  this.timeout(120_000);

  it('signs in to a server, runs its prompt, opens its resource and confirms its tool', async () => {
    await using authServer = await AuthServer.start();
    await using server = await ProtectedServer.start(authServer);
    server.offersAll = true;
    const guarded = { type: 'http', url: server.url };
    const local = { command: 'node', args: ['server.js'] };
    await using workbench = await openPageWindow({
      '/project/.mcp.json': JSON.stringify({ servers: { guarded, local } }),
    });
    const { quickPick, tree, chat } = workbench;
    await workbench.openView('MCP Workbench');
    await untilRow(workbench, 'local', /^Needs a process/);
    await tree.item('local', 'Open in a Desktop or Remote Window');
    await workbench.screenshot('page-servers');

    await startServer(workbench, 'guarded');
    await untilRow(workbench, 'guarded', /^Sign-in needed/);
    await tree.click('guarded', 'Sign In');
    await quickPick.waitForTitle('guarded needs you to sign in');
    await quickPick.pick('Open in Browser');
    await untilRow(workbench, 'guarded', /^project\/\.mcp\.json/);
    // The page of the sign-in is in front, and what is behind it is hardly drawn.
    await workbench.page.bringToFront();
    await tree.item('guarded', 'Tools');
    await workbench.screenshot('page-signed-in');

    await workbench.runCommand('MCP Workbench: Run MCP Prompt…');
    await quickPick.pick('greet');
    assert.match(await workbench.editorText('greet'), /Greet me\./);
    await workbench.screenshot('page-prompt');
    await workbench.answerDocument('greet.mcp-prompt');
    await chat.waitFor(/You wrote: .*Greet me/);

    await tree.expand('guarded', 'Resources');
    await tree.click('guarded', 'Resources', 'note.txt');
    assert.match(await workbench.editorText('note.txt'), /A note\./);
    await workbench.screenshot('page-resource');

    await chat.send('@mcp call read {}');
    await quickPick.waitForTitle('guarded › ');
    await workbench.screenshot('page-tool');
    await quickPick.pick('Allow Once');
    assert.match(await chat.completed(), /The tool \S+ says:[^]*done/);
    assert.deepEqual(server.called, ['read']);
    await workbench.screenshot('page-answer');

    // An editor can have a chat view without anyone who answers there.
    await workbench.runCommand('Page Basics: Leave the Chat');
    await workbench.runCommand('MCP Workbench: Run MCP Prompt…');
    await quickPick.pick('greet');
    // The prompt was previewed before, so it is sent right away.
    assert.match(await workbench.editorText('# greet'), /## User\n\nGreet me\./);
    await workbench.notification('The chat did not take the message.');
    await workbench.screenshot('page-without-chat');
  });
});
