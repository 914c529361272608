import assert from 'node:assert/strict';
import { decisiveWarnings } from '../../../../src/config/launch/decisiveVariables';
import { boundValues, showValues } from '../../../../src/config/launch/launchValues';

const show = (name: string, value: string, written = value) =>
  showValues({ written: { [name]: written }, config: { [name]: value } }, 'key');

describe('the values that a launch sets', () => {
  const decisive = [
    'NODE_OPTIONS NODE_PATH LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES',
    'PYTHONPATH PYTHONSTARTUP PYTHONINSPECT RUBYOPT RUBYLIB PERL5OPT PERL5LIB',
    '_JAVA_OPTIONS JAVA_TOOL_OPTIONS DOTNET_STARTUP_HOOKS BASH_ENV ENV GIT_SSH_COMMAND',
    'npm_config_registry NPM_CONFIG_USERCONFIG UV_INDEX_URL UV_DEFAULT_INDEX',
    'PIP_INDEX_URL PIP_EXTRA_INDEX_URL GOPROXY PATH Path PATHEXT COMSPEC HOME',
    'USERPROFILE XDG_CONFIG_HOME APPDATA HTTPS_PROXY NODE_EXTRA_CA_CERTS',
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'SSH_ASKPASS SUDO_ASKPASS GIT_ASKPASS SSH_ASKPASS_REQUIRE RESTIC_PASSWORD_COMMAND',
    'BORG_PASSCOMMAND RCLONE_PASSWORD_COMMAND ANSIBLE_VAULT_PASSWORD_FILE',
    'ANSIBLE_BECOME_PASSWORD_FILE RESTIC_PASSWORD_FILE AWS_SHARED_CREDENTIALS_FILE',
    'AWS_WEB_IDENTITY_TOKEN_FILE CARGO_REGISTRY_CREDENTIAL_PROVIDER',
    'CARGO_REGISTRY_GLOBAL_CREDENTIAL_PROVIDERS CARGO_REGISTRIES_OWN_CREDENTIAL_PROVIDER',
    'NODE_COMPILE_CACHE SSLKEYLOGFILE AWS_CONFIG_FILE AWS_ENDPOINT_URL_S3 AZURE_CONFIG_DIR',
    'AZURE_EXTENSION_DIR GH_CONFIG_DIR CLAUDE_CONFIG_DIR CODEX_HOME COPILOT_HOME HELM_DATA_HOME',
    'ASDF_DATA_DIR MISE_CONFIG_FILE PYENV_ROOT RBENV_ROOT NVM_DIR VOLTA_HOME N_PREFIX',
    'NUGET_CREDENTIALPROVIDERS_PATH npm_config_//registry.example/:tokenHelper',
  ].flatMap((line) => line.split(' '));
  for (const name of decisive)
    it(`are shown with a warning where they decide what runs: ${name}`, () => {
      const value = '--require=/tmp/sk-live-0123456789abcdef0123';
      assert.equal(show(name, value), `${name} = ${value}`);
      assert.equal(show(name, value, '${env:GITHUB_TOKEN}'), `${name} = ${value}`);
      const warnings = decisiveWarnings(['MODE', name]);
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? '', new RegExp(`^${name} (can|decides) `));
    });

  for (const [title, line, ...given] of [
    ['a word', 'MODE = debug', 'MODE', 'debug'],
    ['a long text', 'NOTE = anything that is no key', 'NOTE', 'anything that is no key'],
    ['what a variable stands for', 'WHERE = eu', 'WHERE', 'eu', '${env:REGION}'],
    ['an input', 'WHERE = ${input:where}', 'WHERE', '${input:where}'],
    ['a secret by its variable', 'API_KEY = ${env:KEY}', 'API_KEY', 'hush', '${env:KEY}'],
    [
      'a header by its variable',
      'Authorization = Bearer ${T}',
      'Authorization',
      'Bearer hush',
      'Bearer ${T}',
    ],
    ['the variable of a secret', 'WHO = ${env:GITHUB_TOKEN}', 'WHO', 'hush', '${env:GITHUB_TOKEN}'],
    ['several lines as one', 'A = 1⏎B = 2', 'A', '1\nB = 2'],
  ] as const)
    it(`are shown: ${title}`, () =>
      assert.equal(show(...(given as [string, string, string?])), line));

  for (const [name, value, written] of [
    ['API_KEY', 'hush'],
    ['LINEAR_KEY', 'hush'],
    ['DB_PASSWORD', 'hush'],
    ['npm_config__authToken', 'hush'],
    ['CARGO_REGISTRY_TOKEN', 'hush'],
    ['MISE_GITHUB_TOKEN', 'hush'],
    ['TOKEN_FILE_KEY', 'hush'],
    ['ANY', 'ghp_0123456789012345678901'],
    ['TOKEN', 'hush-x', 'hush-${X}'],
  ] as const)
    it(`are hidden by a mark where ${name} is a secret`, () => {
      const line = show(name, value, written);
      assert.match(line, new RegExp(`^${name} \\(hidden, mark [0-9a-f]{16}\\)$`));
      assert.notEqual(line, show(name, `${value}!`, written));
    });

  it('show an address without its password', () =>
    assert.match(
      show('DATABASE_URL', 'postgres://me:hush@db.example/x'),
      /^DATABASE_URL = postgres:\/\/me:‹mark [0-9a-f]{16}›@db\.example\/x$/,
    ));

  it('have other marks with another key', () => {
    const values = { written: { TOKEN: 'a' }, config: { TOKEN: 'a' } };
    assert.notEqual(showValues(values, 'one'), showValues(values, 'two'));
  });

  it('are bound as they are shown, and hidden ones as a whole', () =>
    assert.deepEqual(
      boundValues({
        written: { A: '${env:X}', TOKEN: '${env:T}', KEY: 'hush', GONE: null },
        config: { A: 'x', TOKEN: 't', KEY: 'hush', GONE: null, FILE: 'f' },
      }),
      { A: 'x', TOKEN: '${env:T}', KEY: 'hush', GONE: null, FILE: 'f' },
    ));
});
