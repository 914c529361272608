import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../support/paths';
import { hasVariable, listProcesses } from '../../support/processes/processTree';
import { skippedInWine, wineLimits } from '../../support/windows/inWine';
import { runOn } from '../../support/windows/wine';
import { parseProcesses } from '../../support/windows/wineProcesses';

describe('tests in Wine', () => {
  it('skip what Wine cannot do, by name and with the reason that the table of the documentation gives', () => {
    const table = readFileSync(join(repositoryRoot, 'test', 'windows', 'README.md'), 'utf8');
    const rows = table.split('\n').filter((line) => line.startsWith('| _'));
    const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
    assert.deepEqual(
      cells.map(([, title, reason]) => ({ title: title?.replace(/^_(.*)_$/, '$1'), reason })),
      wineLimits,
    );
  });

  it('skip nothing elsewhere', () => {
    for (const { title, reason } of wineLimits) {
      assert.equal(skippedInWine(title, {}), undefined);
      assert.equal(skippedInWine(title, { MCP_WORKBENCH_EDITOR: '4.110.0' }), undefined);
      assert.equal(skippedInWine(title, { MCP_WORKBENCH_WINE: '1' }), reason);
      assert.equal(skippedInWine(title, { MCP_WORKBENCH_EDITOR: 'windows' }), reason);
    }
    assert.equal(skippedInWine('a test of any kind', { MCP_WORKBENCH_WINE: '1' }), undefined);
  });

  it('end with all that they started once they write nothing any more', async function () {
    if (process.platform !== 'linux') this.skip();
    const drives = `/nowhere/${process.pid}`;
    // As what Windows' programs start there, this belongs to no group of the tests.
    const script = 'setsid sleep 300 & echo begun; sleep 300';
    const line = {
      command: '/bin/sh',
      args: ['-c', script],
      env: { PATH: process.env['PATH'], WINEPREFIX: drives },
    };
    let shown = '';
    const ended = await runOn(drives, line, (text) => (shown += text), 1000);
    assert.equal(ended, 'it wrote nothing for 1 s');
    assert.equal(shown, 'begun\n');
    const left = (await listProcesses()).filter(({ pid }) =>
      hasVariable(pid, `WINEPREFIX=${drives}`),
    );
    assert.deepEqual(left, []);
  });

  it('learn of the tree of processes from the debugger', () => {
    const output = [
      ' pid      threads  executable (all id:s are in hex)',
      " 0000042c 8        'node.exe'",
      "=00000494 1        \\_ 'winedbg.exe'",
      " 00000454 8        \\_ 'node.exe'",
      " 0000047c 6           \\_ 'node.exe'",
      " 000002b8 6        'explorer.exe'",
    ];
    assert.deepEqual(
      parseProcesses(output.join('\r\n')).map(({ pid, parent, command }) =>
        [pid.toString(16), parent.toString(16), command].join(' '),
      ),
      [
        '42c 0 node.exe',
        '494 42c winedbg.exe',
        '454 42c node.exe',
        '47c 454 node.exe',
        '2b8 0 explorer.exe',
      ],
    );
  });
});
