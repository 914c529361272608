import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deferred } from '../../src/base/async';
import { ModelStandIn } from '../support/fakes/modelStandIn';
import { findProgram, runToEnd } from '../support/processes/programs';
import { useWorkbench } from '../support/workbench/journeys';
import { untilRow } from '../support/workbench/serverSteps';

const programs = { claude: findProgram('claude'), codex: findProgram('codex') };

describe('Claude Code and Codex, side by side', function () {
  this.timeout(180_000);
  const { claude, codex } = programs;
  if (!claude || !codex) {
    it.skip('use the servers of the window (claude and codex are not on the search path)');
    return;
  }
  const env: NodeJS.ProcessEnv = {};
  let home: string;
  let standIn: ModelStandIn;
  let address: string;
  before('make a home with a file of each', async () => {
    standIn = new ModelStandIn();
    address = await standIn.listen();
    home = await mkdtemp(join(tmpdir(), 'mcp-workbench-home-'));
    env['HOME'] = home;
    await mkdir(join(home, '.codex'));
    await writeFile(join(home, '.claude.json'), '{}\n');
    const provider = `name = "fake"\nbase_url = "${address}/v1"\nwire_api = "responses"\nenv_key = "FAKE_KEY"\n`;
    await writeFile(
      join(home, '.codex', 'config.toml'),
      `model = "fake"\nmodel_provider = "fake"\napproval_policy = "never"\n\n[model_providers.fake]\n${provider}`,
    );
  });
  const workbench = useWorkbench({ env, trusted: ['demo'] });
  after(async () => {
    await standIn[Symbol.asyncDispose]();
    await rm(home, { recursive: true, force: true });
  });

  const turns = {
    'Claude Code': () =>
      runToEnd(
        claude,
        ['-p', 'Go.', '--allowedTools', 'mcp__mcp-workbench__demo__echo'],
        join(workbench().workspace.directory, 'app'),
        {
          PATH: process.env['PATH'],
          HOME: home,
          ANTHROPIC_BASE_URL: address,
          ANTHROPIC_API_KEY: 'x',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          DISABLE_TELEMETRY: '1',
          IS_SANDBOX: '1',
        },
      ),
    Codex: () =>
      runToEnd(
        codex,
        ['exec', '--skip-git-repo-check', 'Go.'],
        join(workbench().workspace.directory, 'app'),
        { PATH: process.env['PATH'], HOME: home, FAKE_KEY: 'x' },
      ),
  };
  const agents = Object.keys(turns);
  /** Has turns until one begins with the tools of the window: a slow machine's come after some seconds of waiting. */
  const call = async (agent: keyof typeof turns) => {
    const kind = agent === 'Codex' ? 'responses' : 'messages';
    for (let left = 5; ; left -= 1) {
      standIn.offered[kind] = [];
      const said = await turns[agent]();
      const isOffered = standIn.offered[kind].some((name) => name.endsWith('demo__echo'));
      if (isOffered || left === 0) return said;
    }
  };

  /** Answers the questions with these titles, in whatever order they come. */
  const answer = async (answers: Readonly<Record<string, () => Promise<void>>>) => {
    const open = new Set(Object.keys(answers));
    while (open.size > 0) {
      const title = await workbench().quickPick.titleAmong(open);
      open.delete(title);
      await answers[title]?.();
    }
  };

  it('are connected by one entry in the file of each, and are asked about once', async () => {
    const { quickPick, page } = workbench();
    for (const [label, path] of [
      ['Claude Code', '.claude.json'],
      ['Codex', '.codex/config.toml'],
    ] as const) {
      await workbench().runCommand('MCP Workbench: Connect an Agent…');
      await quickPick.waitForTitle('Connect an Agent');
      await quickPick.scrollAndPick(label);
      await quickPick.waitForTitle(`Connect ${label}`);
      await quickPick.pick('Show Changes…');
      await page
        .locator('.monaco-diff-editor .modified')
        .getByText('mcp-workbench')
        .first()
        .waitFor();
      await workbench().closeEditor();
      await quickPick.pick(`Write to ${path.slice(path.lastIndexOf('/') + 1)}`);
      await workbench().notification(`${label} has its entry`);
      await workbench().hideNotifications();
      assert.match(await readFile(join(home, path), 'utf8'), /mcp-workbench/);
    }
    await workbench().openView('MCP Workbench');
    await untilRow(workbench(), 'Agents', /^0 of 2 connected/);

    const allowed = deferred<void>();
    standIn.until = allowed.promise;
    const first = Promise.all([turns['Claude Code'](), turns.Codex()]);
    const allow = () => quickPick.pick('Allow in This Workspace');
    const title = (label: string) => `${label} wants to use your servers through this window`;
    await answer(Object.fromEntries(agents.map((label) => [title(label), allow])));
    await untilRow(workbench(), 'Agents', /^2 of 2 connected/);
    allowed.resolve();
    await first;
    await untilRow(workbench(), 'Agents', /^0 of 2 connected/);
  });

  it('call a tool at once: one is allowed for the session, the other hears why it is not', async () => {
    const { quickPick } = workbench();
    standIn.wanted = {
      messages: { tool: 'demo__echo', input: { by: 'Claude' } },
      responses: { tool: 'demo__echo', input: { by: 'Codex' } },
    };
    const both = Promise.all([call('Claude Code'), call('Codex')]);
    await answer({
      'Claude Code › demo › echo': () => quickPick.pick('Allow for This Session'),
      'Codex › demo › echo': async () => {
        await quickPick.pick('Deny and Tell the Model Why…');
        await quickPick.waitForTitle('Deny Codex › demo › echo');
        await quickPick.type('Not on a Sunday');
        await quickPick.accept();
      },
    });
    const [ofClaude, ofCodex] = await both;
    assert.match(ofClaude, /The tool said: [^]*by[^]*Claude/);
    assert.match(ofCodex, /The tool said: [^]*denied by the user[^]*Not on a Sunday/);
    // Nobody is asked again about the one, while the other is.
    const again = call('Codex');
    assert.match(await call('Claude Code'), /The tool said: [^]*by[^]*Claude/);
    await answer({ 'Codex › demo › echo': () => quickPick.pick('Deny') });
    assert.match(await again, /denied by the user/);
  });

  it('have nothing any longer of a server that was switched off', async () => {
    const { quickPick, tree } = workbench();
    await tree.menu('Disable Server…', 'demo');
    await quickPick.pick('In This Workspace');
    await untilRow(workbench(), 'demo', /^Disabled in this workspace/);
    const [ofClaude, ofCodex] = await Promise.all([turns['Claude Code'](), turns.Codex()]);
    for (const said of [ofClaude, ofCodex]) assert.match(said, /Nothing to do/);
    for (const names of Object.values(standIn.offered))
      assert.deepEqual(
        names.filter((name) => name.includes('demo__')),
        [],
      );
  });
});
