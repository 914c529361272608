import assert from 'node:assert/strict';
import { inEnglish } from '../../../../../src/base/translate';
import { createNodePrograms } from '../../../../../src/mcp/node/nodePrograms';
import type { StdioServerConfig } from '../../../../../src/mcp/serverConfig';
import type { Environment } from '../../../../../src/mcp/platform';

const editor = {
  PATH: '/bin',
  HOME: '/home/me',
  GITHUB_TOKEN: 'ghp_x',
  VSCODE_IPC_HOOK: '/run/x',
  'BASH_FUNC_ls%%': '() { :; }',
};

/** Returns the variables of a process started by the editor's own client: it inherits all of the editor's. */
function startedByEditor(env: StdioServerConfig['env'], inherited: Environment) {
  const started: Record<string, string | undefined> = { ...inherited };
  for (const [name, value] of Object.entries(env)) {
    const before = started[name];
    const isAdded = name.toUpperCase() === 'PATH' && value !== null && before !== undefined;
    started[name] = isAdded ? `${before}:${value}` : (value ?? undefined);
  }
  return Object.fromEntries(Object.entries(started).filter(([, value]) => value !== undefined));
}

async function hand(config: Partial<StdioServerConfig>, own: Environment = editor) {
  const programs = createNodePrograms(() => Promise.resolve(own), 'linux', editor);
  const whole = { type: 'stdio', command: '/bin/a', args: [], env: {}, ...config } as const;
  const { env } = await programs.handOver(whole, inEnglish);
  return startedByEditor(env, editor);
}

const { PATH, HOME, GITHUB_TOKEN } = editor;

describe('a process that the editor’s own client starts', () => {
  const cases: readonly [title: string, config: Partial<StdioServerConfig>, expected: object][] = [
    ['none', { inheritEnvironment: 'none' }, {}],
    ['what programs need', { inheritEnvironment: 'safe' }, { PATH, HOME }],
    ['that where nothing is said', {}, { PATH, HOME }],
    ['all but the editor’s own', { inheritEnvironment: 'all' }, { PATH, HOME, GITHUB_TOKEN }],
    [
      'none, with what is configured',
      { inheritEnvironment: 'none', env: { GITHUB_TOKEN: 'mine', KEY: 'k' } },
      { GITHUB_TOKEN: 'mine', KEY: 'k' },
    ],
    [
      'all without what is removed',
      { inheritEnvironment: 'all', env: { HOME: null } },
      { PATH, GITHUB_TOKEN },
    ],
    ['no search path where that is removed', { env: { PATH: null } }, { HOME }],
    [
      'a search path with the editor’s in it',
      { env: { PATH: '/mine:/bin' } },
      { PATH: '/bin:/mine:/bin', HOME },
    ],
  ];
  for (const [title, config, expected] of cases)
    it(`inherits ${title}`, async () => assert.deepEqual(await hand(config), expected));

  it('is none that would get folders of a workspace that is not trusted', () =>
    assert.rejects(hand({ foldersLeftOut: ['/bin'] }), /Only MCP Workbench can start it/));

  it('finds programs where a terminal does', async () => {
    const { PATH: path } = await hand({}, { ...editor, PATH: '/shell:/bin' });
    assert.equal(path, '/bin:/shell:/bin');
  });

  it('is refused where it would search more folders than it is configured to', async () => {
    await assert.rejects(hand({ env: { PATH: '/mine' } }), /sets PATH/);
    await assert.rejects(hand({ inheritEnvironment: 'none', env: { PATH: '' } }), /sets PATH/);
  });

  it('has nothing loaded into what confines it', async () => {
    const own = { ...editor, LD_PRELOAD: '/x.so' };
    const programs = createNodePrograms(() => Promise.resolve(own), 'linux', own);
    const confinement = {
      tool: 'bwrap',
      program: '/usr/bin/bwrap',
      writable: [],
      readOnly: [],
      hidden: [],
      hasNetwork: true,
      letsCreate: false,
      unkept: [],
    } as const;
    const config = { type: 'stdio', command: '/bin/a', args: [], env: {}, confinement } as const;
    const all = { ...config, inheritEnvironment: 'all' } as const;
    const handed = await programs.handOver(all, inEnglish);
    assert.equal(handed.env['LD_PRELOAD'], null);
    assert.equal(handed.command, '/usr/bin/bwrap');
    assert.ok(
      handed.args.join(' ').startsWith('--new-session --setenv LD_PRELOAD /x.so '),
      handed.args.join(' '),
    );
  });
});
