import assert from 'node:assert/strict';
import { hostKilled, openWorkbench } from '../support/workbench/journeys';
import { built } from '../support/paths';
import { poll } from '../support/poll';
import { isAlive } from '../support/processes/processTree';
import { startServer, untilRow } from '../support/workbench/serverSteps';

describe('the servers of an extension host that was killed', function () {
  this.timeout(180_000);

  it('run no more after the next start, even one that outlives its input', async function () {
    // The test harness cannot list processes there.
    if (process.platform === 'win32') this.skip();
    const program = built('fixtures', 'badServers', 'main.js');
    await using workbench = await openWorkbench({
      settings: {
        'mcpWorkbench.servers': {
          stubborn: { command: 'node', args: [program, 'ignore-sigterm'] },
        },
      },
    });
    const find = async (part: string) =>
      (await workbench.editor.processes()).find(({ command }) => command.includes(part))?.pid;
    await workbench.openView('MCP Workbench');
    await startServer(workbench, 'stubborn');
    await untilRow(workbench, 'stubborn', /^User Settings/);
    const server = await find(program);
    const host = await find('--type=extensionHost');
    assert.ok(server && host);

    workbench.expectProblem(hostKilled);
    process.kill(host, 'SIGKILL');
    await workbench.page.reload();
    await poll('the end of the server', 60_000, () =>
      Promise.resolve(isAlive(server) ? undefined : true),
    );
    const next = await find('--type=extensionHost');
    assert.ok(next && next !== host);
  });
});
