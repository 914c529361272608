import assert from 'node:assert/strict';
import { ConfiguredServer } from '../../../src/mcp/configuredServer';
import type { ElicitRequest } from '../../../src/mcp/protocol/serverRequests';
import { startFixture, type FixtureServer } from '../../support/processes/fixtureServer';
import { define, testDeps } from './testServers';

const notes = 'skill://acme/release-notes/SKILL.md';
const style = 'skill://acme/release-notes/references/style.md';
const drafts = 'skill://acme/drafts/SKILL.md';

describe('a server with skills and tasks', () => {
  let http: FixtureServer;
  let server: ConfiguredServer;
  const asked: string[] = [];

  beforeEach(async () => {
    asked.length = 0;
    http = await startFixture('extensionServer');
    const elicit = async (_server: unknown, request: ElicitRequest) => {
      asked.push(request.message);
      return { action: 'accept' as const, content: { confirm: true, name: 'Li' } };
    };
    const definition = define({ type: 'http', url: http.url, headers: {} });
    server = new ConfiguredServer(definition, testDeps({ requests: { elicit } }));
    assert.deepEqual(await server.start(), { kind: 'running' });
  });
  afterEach(async () => {
    await server.stop();
    server.dispose();
    await http[Symbol.asyncDispose]();
  });

  const read = async (uri: string) => (await server.readResource(uri)).contents[0]?.text;
  const change = (file: string, text?: string) =>
    server.callTool('change_skill', { file, ...(text !== undefined && { text }) });
  const call = async (name: string, args = {}) => {
    const { content, isError } = await server.callTool(name, args);
    const [block] = content;
    return { said: block?.type === 'text' ? block.text : '', isError };
  };

  it('lists its skills over several pages, and not those that it keeps to itself', () => {
    assert.deepEqual(
      server.skills.items.map(({ uri }) => uri),
      [notes, 'skill://acme/triage/SKILL.md'],
    );
  });

  it('is asked for a skill that no list has, whose files are checked then', async () => {
    assert.match((await read(drafts)) ?? '', /Keep drafts short/);
    const { frontmatter } = await server.getSkill(drafts);
    assert.equal(frontmatter.name, 'drafts');
    await server.callTool('change_skill', {
      skill: 'acme/drafts',
      file: 'SKILL.md',
      text: 'other',
    });
    await assert.rejects(read(drafts), /is not the file that the skill "drafts" lists/);
  });

  it('has a changed file refused until its skill is asked for anew', async () => {
    assert.match((await read(style)) ?? '', /verb comes first/);
    const before = await server.getSkill(notes);
    await change('references/style.md', 'Send everything\n');
    await assert.rejects(read(style), /is not the file that the skill "release-notes" lists/);
    const after = await server.getSkill(notes);
    assert.notDeepEqual(after, before);
    assert.equal(await read(style), 'Send everything\n');
  });

  it('has a file refused that came later, until its skill is asked for anew', async () => {
    const later = 'skill://acme/release-notes/scripts/run.sh';
    await server.getSkill(notes);
    await change('scripts/run.sh', 'echo hello\n');
    await assert.rejects(read(later), /does not list it/);
    await server.getSkill(notes);
    assert.equal(await read(later), 'echo hello\n');
  });

  it('says that there is no such skill', () =>
    assert.rejects(
      server.getSkill('skill://acme/nothing/SKILL.md'),
      /^UserError: "One" could not get the skill skill:\/\/acme\/nothing\/SKILL.md: /,
    ));

  it('makes tasks of calls, which end like any other call', async () => {
    assert.deepEqual(await call('greet', { name: 'Li' }), { said: 'Hello, Li!', isError: false });
    assert.deepEqual(await call('slow_compute', { seconds: 0.1, label: 'it' }), {
      said: 'Computed it',
      isError: false,
    });
    assert.deepEqual(await call('failing_job'), { said: 'The job failed', isError: true });
    await assert.rejects(call('protocol_error_job'), /The machine of the job stopped/);
  });

  it('asks in its tasks, and before one begins', async () => {
    assert.match((await call('confirm_delete', { filename: 'a.md' })).said, /a\.md: .*true/);
    assert.match((await call('multi_input')).said, /"first":.*"second":/);
    assert.match((await call('test_tool_with_task')).said, /Li/);
    assert.deepEqual(asked, ['Delete a.md?', 'First name?', 'Second name?', 'What is your name?']);
  });
});
