import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import { claudeCode, claudeDesktop } from '../../../../src/config/applications/agents/agents';
import {
  filesOf,
  type Disk,
  type Machine,
  type ServerFile,
} from '../../../../src/config/applications/application';
import { applications } from '../../../../src/config/applications/applications';
import { cline, cursor } from '../../../../src/config/applications/editors/editors';
import { maxProfiles, vscodeUser } from '../../../../src/config/applications/editors/vscode';
import { AdmittedServers } from '../../../../src/config/add/admission';
import { mcpJsonFile } from '../../../../src/config/add/mcpJsonText';
import { teamFile } from '../../../../src/config/share/exportForTeam';
import { ownServers } from '../../../../src/config/share/exportServers';
import { samples } from './samples';

const machines: readonly Machine[] = [
  {
    platform: 'linux',
    home: '/home/me',
    settings: '/home/me/.config',
    folders: ['/work'],
    env: {},
  },
  {
    platform: 'darwin',
    home: '/Users/me',
    settings: '/Users/me/Library/Application Support',
    folders: [],
    env: {},
  },
  {
    platform: 'win32',
    home: 'C:/Users/me',
    settings: 'C:/Users/me/AppData/Roaming',
    folders: [],
    env: {},
  },
];

const inLines = [
  JSON.stringify(
    { mcpServers: { files: { command: 'a' } }, servers: { files: { command: 'a' } } },
    null,
    2,
  ),
];
const ownFile = mcpJsonFile('servers');

async function readAndTell(read: ServerFile['read'], text: string) {
  const told: string[] = [];
  const found = await read(text, (problem) => told.push(problem(inEnglish)));
  return { names: found.map(({ name }) => name), told };
}

describe('servers of other applications', () => {
  for (const { label, files: paths, read } of applications) {
    it(`are read from a file of ${label}`, async () => {
      const { [label]: sample = assert.fail(`${label} has no sample`) } = samples;
      const [text, expected] = sample;
      assert.deepEqual(structuredClone(await read(text)), expected);
    });

    it(`are looked for at absolute paths of ${label} on every system`, () => {
      for (const machine of machines)
        for (const path of paths(machine))
          assert.match(path, machine.platform === 'win32' ? /^C:\// : /^\//);
    });

    it(`are none in an empty file or one of another kind of ${label}`, async () => {
      assert.deepEqual(await read(''), []);
      await assert.rejects(
        async () => read('{ "a": [1, }\n= : ['),
        `${label} says that the file is broken`,
      );
    });
  }

  const broken: Readonly<Record<string, string>> = {
    Continue: 'mcpServers:\n  - name: odd\n    env: {}\n  - name: fine\n    command: node\n',
    Codex: '[mcp_servers.odd]\nargs = []\n[mcp_servers.fine]\ncommand = "node"\n',
    goose:
      'extensions:\n  odd: { type: stdio }\n  own: { type: builtin }\n  fine: { type: stdio, cmd: node }\n',
  };
  for (const { label, read } of applications)
    it(`are told from entries of ${label} that are none, by name`, async () => {
      const servers = { odd: { note: 'no command' }, fine: { command: 'node' } };
      const keys = ['mcpServers', 'servers', 'context_servers'];
      const json = JSON.stringify(Object.fromEntries(keys.map((key) => [key, servers])));
      const { names, told } = await readAndTell(read, broken[label] ?? json);
      assert.deepEqual([names, told], [['fine'], ['Its server "odd" cannot be used.']]);
    });

  const lists = { Continue: '- 1', goose: '- 1' };
  for (const { label, read } of applications.filter((one) => one.label !== 'Codex'))
    it(`are not looked for in a file of ${label} that is a list`, async () => {
      const text = new Map(Object.entries(lists)).get(label) ?? '[1, 2, 3]';
      await assert.rejects(async () => read(text), /^UserError: The file must be an object\.$/);
    });

  const misshapen: Readonly<Record<string, readonly [text: string, key: string]>> = {
    'VS Code': ['{ "servers": ["a"] }', 'servers'],
    Continue: ['mcpServers: { a: { command: node } }', 'mcpServers'],
    Zed: ['{ "context_servers": "a" }', 'context_servers'],
    Codex: ['[[mcp_servers]]\ncommand = "node"', 'mcp_servers'],
    goose: ['extensions:\n  - type: stdio\n    cmd: node', 'extensions'],
  };
  for (const { label, read } of applications)
    it(`are none, which is told, where what stands for them in the file of ${label} has another shape`, async () => {
      const [text, key] = misshapen[label] ?? ['{ "mcpServers": [] }', 'mcpServers'];
      const shape =
        label === 'Continue' ? 'a list of servers' : 'an object that maps names to servers';
      assert.deepEqual(await readAndTell(read, text), {
        names: [],
        told: [`"${key}" must be ${shape}.`],
      });
    });

  it('are told from a project of Claude Code where those have another shape', async () => {
    const text =
      '{ "projects": { "/a": { "mcpServers": [] }, "/b": { "mcpServers": { "fine": { "command": "node" } } } } }';
    const { names, told } = await readAndTell(claudeCode.read, text);
    assert.deepEqual(names, ['fine']);
    assert.deepEqual(told, ['"mcpServers" must be an object that maps names to servers.']);
  });

  for (const [what, text] of [
    ['other things alone', '{ "theme": "dark" }'],
    ['null', '{ "mcpServers": null }'],
  ] as const)
    it(`are none, and nothing is told, where a file has ${what}`, async () => {
      assert.deepEqual(await readAndTell(cursor.read, text), { names: [], told: [] });
    });

  it('are looked for where the applications keep them', () => {
    const [linux, mac, windows] = machines;
    const where = (label: string, machine: Machine | undefined) =>
      machine && applications.find((one) => one.label === label)?.files(machine)[0];
    assert.equal(
      where('Claude Desktop', mac),
      '/Users/me/Library/Application Support/Claude/claude_desktop_config.json',
    );
    assert.equal(
      where('Claude Desktop', windows),
      'C:/Users/me/AppData/Roaming/Claude/claude_desktop_config.json',
    );
    assert.equal(where('Zed', mac), '/Users/me/.config/zed/settings.json');
    assert.equal(where('Zed', linux), '/home/me/.config/zed/settings.json');
    assert.equal(
      where('goose', windows),
      'C:/Users/me/AppData/Roaming/Block/goose/config/config.yaml',
    );
    assert.equal(where('Codex', linux), '/home/me/.codex/config.toml');
    assert.equal(where('Copilot CLI', linux), '/home/me/.copilot/mcp-config.json');
  });

  const added = {
    name: 'new',
    server: { type: 'stdio', command: 'npx', args: ['-y', 'new'], env: { A: '1' } },
  };
  for (const application of [...applications, teamFile, { label: 'mcp.json', ...ownFile }])
    for (const [what, change] of [
      ['added to', (text: string) => application.write(text, AdmittedServers.admit([added], []))],
      [
        'replaced in',
        async (text: string) => {
          const [first] = await ownServers(application, text);
          const name = first?.[0] ?? 'files';
          return application.write(text, AdmittedServers.admit([{ ...added, name }], []));
        },
      ],
      [
        'removed from',
        async (text: string) => {
          const [first] = await ownServers(application, text);
          return application.remove(text, first?.[0] ?? 'files');
        },
      ],
    ] as const)
      it(`are ${what} a file of ${application.label} with lines that end as the others`, async () => {
        const [text] = samples[application.label] ?? inLines;
        const plain = await change(text);
        const written = await change(text.replaceAll('\n', '\r\n'));
        assert.notEqual(plain, text);
        assert.equal(written, plain.replaceAll('\n', '\r\n'));
      });

  for (const [label, name, file, usual] of [
    ['Copilot CLI', 'COPILOT_HOME', 'mcp-config.json', '.copilot/mcp-config.json'],
    ['Codex', 'CODEX_HOME', 'config.toml', '.codex/config.toml'],
    ['Claude Code', 'CLAUDE_CONFIG_DIR', '.claude.json', '.claude.json'],
  ] as const)
    it(`are looked for where ${name} says that ${label} keeps them`, () => {
      const { files } = applications.find((one) => one.label === label) ?? assert.fail();
      for (const machine of machines)
        for (const [value, expected] of [
          ['/elsewhere', `/elsewhere/${file}`],
          ['/elsewhere/', `/elsewhere/${file}`],
          ['D:\\else where\\', `D:/else where/${file}`],
          ['', `${machine.home}/${usual}`],
          [undefined, `${machine.home}/${usual}`],
        ] as const)
          assert.equal(files({ ...machine, env: { [name]: value } })[0], expected);
    });
});

/** A disk with these files and folders, each folder with the names of those in it. */
function diskOf(
  folders: Readonly<Record<string, readonly string[]>>,
  files: Readonly<Record<string, string>> = {},
): Disk {
  return {
    folders: (path) => Promise.resolve(folders[path] ?? []),
    text: (path) => Promise.resolve(files[path]),
  };
}

describe('the file of Claude Desktop on Windows', () => {
  const [, , windows = assert.fail()] = machines;
  const local = 'C:/Users/me/AppData/Local/Packages';
  const inPackage = (name: string) =>
    `${local}/${name}/LocalCache/Roaming/Claude/claude_desktop_config.json`;
  const usual = 'C:/Users/me/AppData/Roaming/Claude/claude_desktop_config.json';
  const stale = { path: usual, isUnread: true };

  for (const [title, names, env, files] of [
    ['without a package', [], {}, [{ path: usual }]],
    ['beside packages of others', ['Microsoft.Paint_8wek', 'ClaudeNotes_1'], {}, [{ path: usual }]],
    [
      'of the store',
      ['Claude_pzs8sxrjxfjjc'],
      {},
      [{ path: inPackage('Claude_pzs8sxrjxfjjc') }, stale],
    ],
    ['of another publisher', ['claude_abc'], {}, [{ path: inPackage('claude_abc') }, stale]],
    [
      'of two packages',
      ['Claude_a', 'Claude_b'],
      {},
      [{ path: inPackage('Claude_a') }, { path: inPackage('Claude_b') }, stale],
    ],
    [
      'where the folder for local settings is named',
      ['Claude_a'],
      { LOCALAPPDATA: String.raw`C:\Users\me\AppData\Local` },
      [{ path: inPackage('Claude_a') }, stale],
    ],
  ] as const)
    it(`is the one that is read: ${title}`, async () =>
      assert.deepEqual(
        await filesOf(claudeDesktop, { ...windows, env }, diskOf({ [local]: names })),
        files,
      ));

  it('is nowhere else on other systems', async () => {
    for (const machine of machines.slice(0, 2))
      assert.deepEqual(
        await filesOf(
          claudeDesktop,
          machine,
          diskOf({ [`${machine.home}/AppData/Local/Packages`]: ['Claude_a'] }),
        ),
        claudeDesktop.files(machine).map((path) => ({ path })),
      );
  });
});

describe('the files of VS Code', () => {
  const [linux = assert.fail()] = machines;
  const user = '/home/me/.config/Code/User';
  const insiders = '/home/me/.config/Code - Insiders/User';
  const server = '/home/me/.vscode-server/data/User';
  const storage = JSON.stringify({
    userDataProfiles: [
      { location: '-5a', name: 'Work' },
      { location: { scheme: 'file', path: `${user}/profiles/old` }, name: 'Old' },
      { location: 'shared', name: 'Shared', useDefaultFlags: { mcp: true, settings: true } },
      { location: 'gone', name: 'Gone' },
      7,
    ],
    profileAssociations: { workspaces: { 'file:///work': '-5a', 'file:///other': 'shared' } },
  });
  const folders = {
    [`${user}/profiles`]: ['-5a', 'old', 'shared', 'left'],
    [`${insiders}/profiles`]: ['b7'],
  };
  const files = { [`${user}/globalStorage/storage.json`]: storage };
  const find = async (
    editor?: Machine['editor'],
    texts: Readonly<Record<string, string>> = files,
  ) =>
    (
      await filesOf(vscodeUser, { ...linux, ...(editor && { editor }) }, diskOf(folders, texts))
    ).map(({ path, note, isUnread, isOffered }) =>
      [path.replace('/home/me/', ''), note, isUnread && 'not read', isOffered && 'offered']
        .filter(Boolean)
        .join(' '),
    );
  const others = [
    '.config/Code - Insiders/User/mcp.json',
    '.config/Code - Insiders/User/profiles/b7/mcp.json b7',
    '.config/VSCodium/User/mcp.json',
    '.config/Code - OSS/User/mcp.json',
  ];

  it('are one for each profile, by its name', async () =>
    assert.deepEqual(await find(), [
      '.config/Code/User/mcp.json',
      '.config/Code/User/profiles/-5a/mcp.json Work',
      '.config/Code/User/profiles/old/mcp.json Old',
      '.config/Code/User/profiles/shared/mcp.json Shared not read',
      '.config/Code/User/profiles/left/mcp.json left',
      ...others,
    ]));

  it('begin with that of the profile of the open workspace, if it has its own', async () => {
    const first = async (workspace: string) => (await find({ user, workspace }))[0];
    assert.equal(
      await first('file:///work'),
      '.config/Code/User/profiles/-5a/mcp.json Work offered',
    );
    for (const workspace of ['file:///other', 'file:///unknown', 'constructor'])
      assert.equal(await first(workspace), '.config/Code/User/mcp.json');
  });

  it('are each once on Windows, where the editor writes its drive in another case', async () => {
    const [, , windows = assert.fail()] = machines;
    for (const own of [
      'c:/Users/me/AppData/Roaming/Code/User',
      'C:/users/ME/AppData/Roaming/code - Insiders/User',
    ]) {
      const found = await filesOf(vscodeUser, { ...windows, editor: { user: own } }, diskOf({}));
      assert.equal(found.length, 4);
      assert.equal(found[0]?.path, `${own}/mcp.json`);
    }
  });

  it('begin with those of the editor that runs, wherever it keeps them', async () => {
    for (const own of [insiders, server, '/portable/user-data/User'])
      assert.equal((await find({ user: own }))[0], `${own}/mcp.json`.replace('/home/me/', ''));
    assert.equal(
      cline.files({ ...linux, editor: { user: server } })[0],
      `${server}/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`,
    );
  });

  for (const [title, text] of [
    ['is missing', undefined],
    ['is broken', '{ "userDataProfiles": [1, }'],
    ['is a list', '[]'],
    ['has another shape', '{ "userDataProfiles": "x", "profileAssociations": [] }'],
  ] as const)
    it(`are found where what the editor keeps about profiles ${title}`, async () =>
      assert.deepEqual(
        await find(
          { user },
          text === undefined ? {} : { [`${user}/globalStorage/storage.json`]: text },
        ),
        ['-5a', 'old', 'shared', 'left']
          .reduce(
            (all, id) => [...all, `.config/Code/User/profiles/${id}/mcp.json ${id}`],
            ['.config/Code/User/mcp.json'],
          )
          .concat(others),
      ));

  it('are those of a hundred profiles at most', async () => {
    const many = Array.from({ length: 500 }, (_, index) => `p${index}`);
    const found = await filesOf(vscodeUser, linux, diskOf({ [`${user}/profiles`]: many }));
    assert.equal(found.filter(({ path }) => path.includes('/profiles/')).length, maxProfiles);
  });
});
