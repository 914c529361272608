import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { built } from '../support/paths';
import { countInputs } from '../support/countInputs';
import { registered, RegistryServer } from '../support/fakes/registryServer';
import { useWorkbench } from '../support/workbench/journeys';
import { untilRow } from '../support/workbench/serverSteps';
import { trustAndStart, untilTrustAsked } from '../support/workbench/trustQuestion';

const names = ['one', 'two', 'three'];
/** How long the first answer of `@mcp` may take while servers wait for the user. */
const answerMs = 3000;
/** The most inputs from copying something until the server runs. */
const mostInputs = 5;
const main = built('fixtures', 'demoServer', 'main.js');
const run = (name: string) => ({ command: 'node', args: [`--title=${name}`, main] });

describe('a few steps', function () {
  this.timeout(120_000);
  const registry = new RegistryServer([
    registered('io.example/clock', { description: 'What time it is' }),
    registered('io.example/clocks'),
    registered('io.example/clock-face'),
  ]);
  const userSettings: Record<string, unknown> = {};
  // Before the window opens.
  before(async () => {
    userSettings['mcpWorkbench.registry'] = await registry.start();
  });
  after(() => registry.stop());
  const workbench = useWorkbench({
    settings: userSettings,
    async prepare({ directory, file }) {
      for (const folder of ['app', 'docs'])
        await writeFile(join(directory, folder, '.vscode', 'mcp.json'), '{}');
      // Not in the files that the editor's own client reads, too: it would start them before each answer.
      const servers = Object.fromEntries(names.map((name) => [name, run(name)]));
      const settings = { 'mcpWorkbench.servers': servers };
      await writeFile(
        file,
        JSON.stringify({ folders: [{ path: 'app' }, { path: 'docs' }], settings }),
      );
    },
  });

  it('lead to an answer of @mcp that says which servers wait, and starts none', async () => {
    const { chat, quickPick, editor } = workbench();
    const times: number[] = [];
    for (let turn = 1; turn <= 3; turn += 1) {
      await chat.send(`@mcp Hello ${turn}`);
      const sent = performance.now();
      await chat.completed();
      times.push(Math.round(performance.now() - sent));
      // A button once, then a line.
      const missing = turn === 1 ? 'Review 3 Servers and Ask Again…' : 'Without the tools of:';
      await chat.answer.getByText(missing).waitFor();
      assert.equal(await quickPick.widget.isVisible(), false);
    }
    console.log(`    answers: ${times.join(', ')} ms`);
    const [first = Infinity] = times;
    assert.ok(first <= answerMs, `${times.join(', ')} ms`);
    const running = await editor.processes();
    assert.ok(!running.some(({ command }) => command.includes('demoServer')));
  });

  const files = JSON.stringify({ mcpServers: { files: run('files') } }, undefined, 2);
  const readme = `## Setup\n\n\`\`\`json\n${files}\n\`\`\`\n`;
  it('lead from a README that is pasted into the first box to where its server is saved', async () => {
    const { page, quickPick } = workbench();
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(readme)})`);
    await workbench().runCommand('MCP Workbench: Add Server…');
    await quickPick.type('what is it');
    await quickPick.waitForMessage(/Paste an install link/);
    await workbench().screenshot('few-steps-no-server');
    await quickPick.type('');
    await quickPick.input.press('ControlOrMeta+V');
    await quickPick.waitForActive('Add What You Typed');
    await workbench().screenshot('few-steps-pasted');
    await quickPick.accept();
    await quickPick.waitForTitle('Where should "files" be saved?');
    await quickPick.dismiss();
  });

  it('lead from a search in the registry to the question whether its server may run', async () => {
    const { quickPick } = workbench();
    await workbench().runCommand('MCP Workbench: Add Server…');
    await quickPick.pick('Search the MCP Registry…');
    await quickPick.waitForMessage(/^What you type is sent to/);
    assert.equal(registry.requests.length, 0);
    await quickPick.type('clock');
    await quickPick.waitForActive('io.example/clock');
    await workbench().screenshot('few-steps-registry');
    await quickPick.pick('More Results');
    await quickPick.waitForActive('io.example/clock-face');
    await quickPick.pick('io.example/clock');
    await quickPick.waitForMessage(/npx -y @x\/io\.example\/clock@1\.0\.2/);
    await quickPick.accept();
    await quickPick.waitForTitle('Where should "clock" be saved?');
    await quickPick.pick('Workspace Settings');
    const added = await workbench().notification('Added: clock');
    await added.getByRole('button', { name: 'Start' }).click();
    await untilTrustAsked(workbench(), 'clock');
    await quickPick.pick('Not Now');
    await untilRow(workbench(), 'clock', /^Stopped/);
    assert.ok(registry.requests.every((path) => path.includes('search=clock&version=latest')));
  });

  for (const [what, name, copied] of [
    ['the JSON of a README', 'files', readme],
    ['a command for another client', 'mine', `claude mcp add mine -- node --title=mine ${main}`],
  ] as const)
    it(`lead from ${what} to a server that runs`, async () => {
      const { page, quickPick, tree } = workbench();
      await workbench().openView('MCP Workbench');
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(copied)})`);
      const inputs = countInputs();
      const { give } = inputs;
      await give(() => workbench().runCommand('MCP Workbench: Add Server…'));
      await give(() => quickPick.pick('From the Clipboard'));
      await quickPick.waitForTitle(`Where should "${name}" be saved?`);
      await workbench().screenshot(`few-steps-where-${name}`);
      await give(() => quickPick.pick('Workspace Settings'));
      const added = await workbench().notification(`Added: ${name}`);
      await give(() => added.getByRole('button', { name: 'Start' }).click());
      await untilTrustAsked(workbench(), name);
      await workbench().screenshot(`few-steps-trust-${name}`);
      await give(() => trustAndStart(workbench()));
      await untilRow(workbench(), name, /^Workspace Settings/);
      await tree.item(name, 'Prompts');
      assert.ok(inputs.count <= mostInputs, `${inputs.count} inputs`);
    });
});
