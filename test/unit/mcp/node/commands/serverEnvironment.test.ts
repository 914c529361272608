import assert from 'node:assert/strict';
import {
  environmentOf,
  serverEnvironment as environmentOn,
} from '../../../../../src/mcp/node/commands/serverEnvironment';
import type { Confinement, StdioServerConfig } from '../../../../../src/mcp/serverConfig';

type Parameters = globalThis.Parameters<typeof environmentOn>;

describe('the environment of a server', () => {
  const serverEnvironment = (
    own: Parameters[0],
    configured: Parameters[1],
    inheritance?: Parameters[2],
  ) => environmentOn(own, configured, inheritance, 'linux');

  const passed = [
    'PATH',
    'Path',
    'HOME',
    'LANG',
    'LC_ALL',
    'TMPDIR',
    'SystemRoot',
    'APPDATA',
    'ProgramFiles(x86)',
    'HTTPS_PROXY',
    'https_proxy',
    'no_proxy',
    'NODE_EXTRA_CA_CERTS',
    'XDG_CONFIG_HOME',
  ];
  const proxies = {
    HTTP_PROXY: 'http://me:hush@proxy',
    https_proxy: 'http://me:hush@proxy',
    ALL_PROXY: 'socks5://me:hush@proxy',
    no_proxy: 'localhost',
  };
  const npms = { npm_config_proxy: 'http://me:hush@proxy', npm_config_https_proxy: 'http://a' };
  for (const [what, hasNetwork, inheritEnvironment, expected] of [
    ['that is not confined', undefined, 'safe', proxies],
    ['that may use the network in its sandbox', true, 'all', { ...proxies, ...npms, GOPROXY: 'x' }],
    ['that may not', false, 'safe', {}],
    ['that may not and inherits all else', false, 'all', { GOPROXY: 'x' }],
  ] as const)
    it(`has the proxies of ours where it can reach them: ${what}`, () => {
      const confinement = hasNetwork === undefined ? {} : { confinement: { hasNetwork } };
      const config = { command: 'x', args: [], inheritEnvironment, ...confinement };
      const given = (env: StdioServerConfig['env']) =>
        environmentOf(
          { ...config, env } as unknown as StdioServerConfig & {
            readonly confinement: Confinement;
          },
          { ...proxies, ...npms, GOPROXY: 'x' },
          'linux',
        );
      assert.deepEqual(given({}), expected);
      const own = { HTTPS_PROXY: 'http://own', HTTP_PROXY: null };
      const { HTTP_PROXY: _removed, ...others } = { HTTP_PROXY: '', ...expected };
      assert.deepEqual(given(own), { ...others, HTTPS_PROXY: 'http://own' });
    });

  for (const name of passed) {
    it(`has our ${name}`, () =>
      assert.deepEqual(serverEnvironment({ [name]: '/x' }, {}), { [name]: '/x' }));
  }

  const kept = [
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'NPM_TOKEN',
    'VSCODE_IPC_HOOK',
    'ELECTRON_RUN_AS_NODE',
    'NODE_OPTIONS',
    'NODE_ENV',
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
    'SSH_AUTH_SOCK',
    'MY_OWN',
  ];
  for (const name of kept) {
    it(`does not have our ${name}`, () =>
      assert.deepEqual(serverEnvironment({ [name]: 'x' }, {}), {}));
  }

  it('has no function of a shell, which would be code', () => {
    assert.deepEqual(serverEnvironment({ PATH: '() { :; }; echo', LANG: 'C' }, {}), { LANG: 'C' });
  });

  it('has what is configured, before ours, empty values too', () => {
    assert.deepEqual(
      serverEnvironment({ PATH: '/bin', LANG: 'C' }, { PATH: '/mine', API_KEY: 'k', EMPTY: '' }),
      { PATH: '/mine', LANG: 'C', API_KEY: 'k', EMPTY: '' },
    );
  });

  it('lacks what is configured as null', () => {
    assert.deepEqual(serverEnvironment({ HTTPS_PROXY: 'p', LANG: 'C' }, { HTTPS_PROXY: null }), {
      LANG: 'C',
    });
  });

  it('has no names without a value', () => {
    assert.deepEqual(serverEnvironment({ PATH: undefined }, {}), {});
  });

  it('has all of our own where that is configured, but what belongs to the editor', () =>
    assert.deepEqual(
      serverEnvironment(
        {
          GITHUB_TOKEN: 't',
          MY_OWN: 'x',
          VSCODE_IPC_HOOK_CLI: '/run/x.sock',
          VSCODE_GIT_ASKPASS_NODE: 'node',
          GIT_ASKPASS: '/askpass.sh',
          ELECTRON_RUN_AS_NODE: '1',
          APPLICATIONINSIGHTS_CONFIGURATION_CONTENT: '{}',
          CHROME_CRASHPAD_PIPE_NAME: 'p',
          MCP_WORKBENCH_TRUST_ALL: '1',
        },
        { MY_OWN: null, ADDED: 'a' },
        'all',
      ),
      { GITHUB_TOKEN: 't', ADDED: 'a' },
    ));

  it('has nothing of our own where that is configured, but what Windows cannot do without', () =>
    assert.deepEqual(
      serverEnvironment({ PATH: '/bin', LANG: 'C', SystemRoot: 'C:\\W' }, { A: '1' }, 'none'),
      { SystemRoot: 'C:\\W', A: '1' },
    ));
});
