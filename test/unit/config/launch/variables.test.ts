import assert from 'node:assert/strict';
import { mapTexts } from '../../../../src/config/launch/launchTexts';
import { createExpand } from '../../../../src/config/launch/variables';

const expand = createExpand({
  env: { NAME: 'value', EMPTY: '', TRICK: '${env:NAME}' },
  userHome: '/home/me',
  pathSeparator: '/',
  workspaceFolder: (name) =>
    name === undefined || name === 'web' ? `/work/${name ?? 'own'}` : undefined,
  input: (id) => Promise.resolve(`<${id}>`),
});

describe('variables', () => {
  for (const [text, expected] of [
    ['plain', 'plain'],
    ['$env:NAME {NAME}', '$env:NAME {NAME}'],
    ['${env:NAME}', 'value'],
    ['a${env:NAME}b${env:NAME}', 'avaluebvalue'],
    ['${workspaceFolder}/x', '/work/own/x'],
    ['${workspaceFolder:web}', '/work/web'],
    ['${workspaceFolderBasename}', 'own'],
    ['${userHome}${/}x${pathSeparator}', '/home/me/x/'],
    ['${input:key}', '<key>'],
    ['${NAME}', 'value'],
    ['${NAME:-other}', 'value'],
    ['${NONE:-other:text}', 'other:text'],
    ['${env:EMPTY:-other}', 'other'],
    ['${env:EMPTY}', ''],
    ['${EMPTY}', ''],
    ['a${env:EMPTY}b', 'ab'],
    ['${env:EMPTY:-}', ''],
    ['${NONE:-}', ''],
    ['${env:TRICK}', '${env:NAME}'],
    ['${NONE:-$a{b}', '$a{b'],
    ['${NONE:-${env:NAME}', '${NONE:-value'],
    ['${${${input:key}', '${${<key>'],
    ['${input:${input:', '${input:${input:'],
  ] as const)
    it(`${text} become ${expected}`, async () => assert.equal(await expand(text), expected));

  for (const [text, expected] of [
    ['${workspaceFolder}\\server.js', 'C:\\$& my code\\app\\server.js'],
    ['${workspaceFolder}${/}${workspaceFolderBasename}', 'C:\\$& my code\\app\\app'],
    ['--root=${userHome}${pathSeparator}notes', '--root=C:\\Users\\me\\notes'],
  ] as const)
    it(`${text} become ${expected} on Windows`, async () => {
      const expandHere = createExpand({
        env: {},
        userHome: 'C:\\Users\\me',
        pathSeparator: '\\',
        workspaceFolder: () => 'C:\\$& my code\\app',
        input: (id) => Promise.resolve(id),
      });
      assert.equal(await expandHere(text), expected);
    });

  for (const [text, message] of [
    ['${env:NONE}', 'the environment variable NONE is not set'],
    ['${NONE}', 'the environment variable NONE is not set'],
    ['${env:constructor}', 'the environment variable constructor is not set'],
    ['${env:}', 'the environment variable  is not set'],
    ['${input}', 'the environment variable input is not set'],
    ['${command:x}', '${command:…} is not supported here'],
    ['${config:mcp.key}', '${config:…} is not supported here'],
    ['${workspaceFolder:api}', 'no workspace folder is called api'],
  ] as const)
    it(`${text} are refused with the reason`, () =>
      assert.rejects(expand(text), {
        name: 'UserError',
        message: `The variable ${text} has no value: ${message}.`,
      }));

  for (const text of [
    '${NONE:-${NAME}}',
    '${NAME:-${NONE}}',
    '${env:NONE:-a ${env:NAME} b}',
    '${NONE:-${OTHER:-${NAME}}}',
  ])
    it(`are refused where one stands in another: ${text}`, () =>
      assert.rejects(expand(`x${text}y`), {
        name: 'UserError',
        message: /^\$\{.*\}: a variable cannot stand in another one\.$/,
      }));

  it('are replaced in every part of a process', async () =>
    assert.deepEqual(
      await mapTexts(
        {
          type: 'stdio',
          command: '${userHome}/bin',
          args: ['-x', '${env:NAME}'],
          env: { A: '${input:a}', B: null },
          cwd: '${workspaceFolder}',
          envFile: '${workspaceFolder}/.env',
        },
        expand,
      ),
      {
        type: 'stdio',
        command: '/home/me/bin',
        args: ['-x', 'value'],
        env: { A: '<a>', B: null },
        cwd: '/work/own',
        envFile: '/work/own/.env',
      },
    ));

  it('are replaced in every part of an address', async () =>
    assert.deepEqual(
      await mapTexts(
        {
          type: 'http',
          url: 'https://${env:NAME}/',
          headers: { Authorization: 'Bearer ${input:t}' },
          oauth: { clientId: '${env:NAME}', clientSecret: '${input:s}' },
        },
        expand,
      ),
      {
        type: 'http',
        url: 'https://value/',
        headers: { Authorization: 'Bearer <t>' },
        oauth: { clientId: 'value', clientSecret: '<s>' },
      },
    ));
});
