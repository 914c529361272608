import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Server } from '../../../src/mcp/server';
import { ModelStandIn } from '../../support/fakes/modelStandIn';
import { fakeServer, fakeServers, tool } from '../../support/fakes/fakeServer';
import { findProgram, runToEnd } from '../../support/processes/programs';
import { AgentWindow, agentFolder, connectThrough, type Entry } from './agentWindow';

/** What programs of others write into their own files for a server. */
type Written = Readonly<Record<string, unknown>>;

const server = () => {
  const demo = fakeServer({
    id: 'demo',
    name: 'demo',
    tools: [tool({ name: 'echo' })],
    prompts: [{ name: 'greet' }],
    resources: [{ uri: 'note:1', name: 'One' }],
    call: (_name, args) =>
      Promise.resolve({ content: [{ type: 'text', text: JSON.stringify(args) }], isError: false }),
  });
  const getPrompt: Server['getPrompt'] = (name) =>
    Promise.resolve({
      messages: [{ role: 'user', content: { type: 'text', text: `The prompt ${name}` } }],
    });
  return Object.assign(demo, { getPrompt });
};

describe('The command line of an agent', function () {
  this.timeout(120_000);
  let home: string;
  let window: AgentWindow;
  let own: Entry;
  let standIn: ModelStandIn;
  let address: string;
  before(async () => {
    standIn = new ModelStandIn();
    address = await standIn.listen();
  });
  after(() => standIn[Symbol.asyncDispose]());
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'mcp-workbench-home-'));
    window = new AgentWindow(await agentFolder(), fakeServers(server()));
    await window.open();
    own = await window.addEntry('Agent');
  });
  afterEach(async () => {
    window.close();
    await rm(home, { recursive: true, force: true });
    await rm(window.folder, { recursive: true, force: true });
  });

  const entry = (): Written => ({
    command: own.command.command,
    args: [...own.command.args, own.entry.id],
    env: { ...own.command.env, MCP_WORKBENCH_SECRET: own.secret },
  });
  const writeJson = async (path: readonly string[], value: unknown) => {
    await mkdir(join(home, ...path.slice(0, -1)), { recursive: true });
    await writeFile(join(home, ...path), JSON.stringify(value));
  };
  const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    runToEnd(program, args, home, { PATH: process.env['PATH'], HOME: home, ...env });

  const turns: Readonly<Record<string, (program: string) => Promise<string>>> = {
    gemini: async (program) => {
      await writeJson(['.gemini', 'settings.json'], {
        mcpServers: { 'mcp-workbench': { ...entry(), trust: true } },
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        general: { disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
      });
      const env = { GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: address };
      return run(program, ['-p', 'Go.', '--yolo', '-m', 'gemini-2.5-flash'], env);
    },
    copilot: async (program) => {
      await writeJson(['.copilot', 'mcp-config.json'], {
        mcpServers: { 'mcp-workbench': { type: 'local', ...entry(), tools: ['*'] } },
      });
      return run(program, ['-p', 'Go.', '--allow-all-tools', '--no-color'], {
        COPILOT_OFFLINE: 'true',
        COPILOT_PROVIDER_TYPE: 'anthropic',
        COPILOT_PROVIDER_BASE_URL: address,
        COPILOT_PROVIDER_API_KEY: 'x',
        COPILOT_MODEL: 'claude-sonnet-4',
        COPILOT_AUTO_UPDATE: 'false',
      });
    },
  };
  for (const [name, turn] of Object.entries(turns)) {
    const program = findProgram(name);
    if (!program) {
      it.skip(`has whole turns through the gate: ${name} (it is not on the search path)`);
      continue;
    }
    it(`has whole turns through the gate: ${name}`, async () => {
      const wanted = { tool: 'demo__echo', input: { by: name } };
      standIn.wanted = { messages: wanted, contents: wanted };
      assert.match(await turn(program), new RegExp(`The tool said: [^]*by[^]*${name}`));
      assert.deepEqual(
        window.asked.map(({ call }) => [call.tool.name, call.arguments]),
        [['echo', { by: name }]],
      );
      window.decide = () => ({ kind: 'deny', reason: 'Not on a Sunday' });
      assert.match(await turn(program), /The tool said: [^]*denied by the user[^]*Not on a Sunday/);
    });
  }

  const inspector = findProgram('mcp-inspector');
  if (!inspector) {
    it.skip('lists, calls, gets and reads: the Inspector (it is not on the search path)');
    return;
  }
  for (const [method, args, expected] of [
    ['tools/list', [], /"name": "demo__echo"/],
    ['tools/call', ['--tool-name', 'demo__echo', '--tool-arg', 'by=you'], /by[^]*you/],
    ['prompts/list', [], /"name": "demo__greet"/],
    ['prompts/get', ['--prompt-name', 'demo__greet'], /The prompt greet/],
    ['resources/list', [], /"uri": "note:1"/],
    ['resources/read', ['--uri', 'note:1'], /"uri": "note:1"[^]*"text"/],
    ['tools/call', ['--tool-name', 'demo__none'], /-32602/],
  ] as const)
    it(`lists, calls, gets and reads: the Inspector, ${[method, ...args].join(' ')}`, async () => {
      // Whoever has not been allowed yet gets empty lists, and this program asks for one list alone.
      const allowed = await connectThrough(own);
      await allowed.listTools();
      await allowed.close();
      await writeJson(['servers.json'], { mcpServers: { 'mcp-workbench': entry() } });
      const config = ['--config', join(home, 'servers.json'), '--server', 'mcp-workbench'];
      const said = await run(inspector, ['--cli', ...config, '--method', method, ...args]);
      assert.match(said, expected);
    });
});
