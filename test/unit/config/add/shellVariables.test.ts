import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import { readCopied } from '../../../../src/config/add/snippet';
import { splitLine } from '../../../../src/config/add/text/commandLine';

const folder = '${workspaceFolder}';
const home = '${userHome}';

function argsOf(text: string): unknown {
  return readCopied(text, inEnglish).servers[0]?.server['args'];
}

describe('the variables of a shell in a command line that was copied', () => {
  for (const [words, expected] of [
    ['-v "$(pwd)":/data', ['-v', `${folder}:/data`]],
    [
      '--mount type=bind,src=$(pwd),dst=/projects',
      ['--mount', `type=bind,src=${folder},dst=/projects`],
    ],
    ['`pwd` "`pwd`/a"', [folder, `${folder}/a`]],
    ['$PWD ${PWD}/a "${pwd}/b c" $PWDX', [folder, `${folder}/a`, `${folder}/b c`, '${env:PWDX}']],
    ['$HOME/a ${HOME} "$HOME"/b $HOMES', [`${home}/a`, home, `${home}/b`, '${env:HOMES}']],
    [
      '~/a D=~/b "~/c" a~/d src=/~/e --at=~/f',
      [`${home}/a`, `D=${home}/b`, '~/c', 'a~/d', 'src=/~/e', '--at=~/f'],
    ],
    [
      '-e A=$TOKEN "b ${TOKEN}" $env:TOKEN',
      ['-e', 'A=${env:TOKEN}', 'b ${env:TOKEN}', '${env:TOKEN}'],
    ],
    ["'$(pwd)' '`pwd`' '$HOME' '~/a' a'$B'$C", ['$(pwd)', '`pwd`', '$HOME', '~/a', 'a$B${env:C}']],
    [String.raw`\$PWD "\$A" C:\$A`, [String.raw`\$PWD`, String.raw`\$A`, String.raw`C:\$A`]],
    [
      '$(date) $1 $$ 5$ ${A:-b} ${input:a} ${env:A}',
      ['$(date)', '$1', '$$', '5$', '${A:-b}', '${input:a}', '${env:A}'],
    ],
    ['${workspaceFolder} ${userHome} ${workspaceFolder:a}', [folder, home, '${workspaceFolder:a}']],
  ] as const)
    it(`become our own, as far as it would fill them in: ${words}`, () => {
      assert.deepEqual(splitLine(words), expected);
      for (const line of ['node a.js', 'claude mcp add mine -- node a.js'])
        assert.deepEqual(argsOf(`${line} ${words}`), ['a.js', ...expected]);
    });

  it('become our own in what is launched, in what that gets, and in headers', () => {
    const [local] = readCopied(`A=$PWD B='$C' ~/bin/files-mcp --stdio`, inEnglish).servers;
    assert.deepEqual(local, {
      name: 'files-mcp',
      server: {
        type: 'stdio',
        command: `${home}/bin/files-mcp`,
        args: ['--stdio'],
        env: { A: folder, B: '$C' },
      },
    });
    const add = 'claude mcp add -t http mine https://a.b/mcp -H "Authorization: Bearer $TOKEN"';
    const [remote] = readCopied(add, inEnglish).servers;
    assert.deepEqual(remote?.server['headers'], { Authorization: 'Bearer ${env:TOKEN}' });
  });

  it('say nothing of the server, for its name', () => {
    for (const [line, name] of [
      ['node $(pwd)/dist/index.js', 'index'],
      ['node "$HOME/weather/build/index.js"', 'weather'],
      ['docker run -i --rm -v "$(pwd)":/data mcp/filesystem /data', 'filesystem'],
    ] as const)
      assert.equal(readCopied(line, inEnglish).servers[0]?.name, name, line);
  });
});

describe('the folder of a shell in JSON that was copied', () => {
  const server = {
    command: 'docker',
    args: ['-v', '$(pwd):/a', '`pwd`', '${PWD}/b', '$PWD', '$HOME', '~/c', '$A', '${A}'],
    cwd: '$PWD/d',
    env: { A: '$PWD' },
  };
  const json = JSON.stringify(server);
  for (const [title, text] of [
    ['a configuration', `{ "mcpServers": { "mine": ${json} } }`],
    ['a bare server', json],
    ['a passage', `Add:\n{ "mcpServers": { "mine": ${json} } }\nThen…`],
    ['an install link', `vscode:mcp/install?${encodeURIComponent(json)}`],
    ['the command for Claude Code', `claude mcp add-json mine '${json}'`],
    ['the command for VS Code', `code --add-mcp '${json}'`],
  ] as const)
    it(`becomes that of the workspace, and nothing else changes: ${title}`, () => {
      const [found] = readCopied(text, inEnglish).servers;
      assert.deepEqual(found?.server, {
        type: 'stdio',
        ...server,
        args: ['-v', `${folder}:/a`, folder, `${folder}/b`, folder, '$HOME', '~/c', '$A', '${A}'],
        cwd: `${folder}/d`,
      });
    });
});
