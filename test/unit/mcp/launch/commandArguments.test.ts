import assert from 'node:assert/strict';
import { maskedArguments, secretsOfArguments } from '../../../../src/mcp/launch/commandArguments';
import { redacted } from '../../../../src/base/secrets';
import { leeway, processMs } from '../../../support/processes/ownLoad';

const secret = 'hunter2secret';

describe('secrets in the arguments of a program', () => {
  for (const args of [
    ['--token', secret],
    ['--api.key', secret],
    [`--token=${secret}`],
    [`--token:${secret}`],
    [`/password:${secret}`],
    [`TOKEN="${secret}" exec run`],
    [`TOKEN=${secret} exec run`],
    [`TOKEN=${secret}; run`],
    ['-c', `TOKEN=${secret} exec run --port 1`],
    ['-lc', `TOKEN="${secret}"; run`],
    ['-S', `TOKEN=${secret} node x`],
    [`TOKEN="${secret}"; run`],
    ['-c', `psql postgresql://user:${secret}@db/x; exec run`],
    [`postgresql://user:${secret}@db/x`],
    [`postgresql://user:a@${secret}@db/x`],
    [`https://me@corp.example:${secret}@db/x`],
    [`--db=postgresql://user:${secret}@db/x`],
    ['--db', `https://db/x?api_key=${secret}`],
    ['run', '-e', `GITHUB_TOKEN=${secret}`, 'image'],
    [`-e=GITHUB_TOKEN=${secret}`],
    [`--env=GITHUB_TOKEN=${secret}`],
    ['--header', `Authorization: Bearer ${secret}`],
    ['-H', `X-Api-Key: ${secret}`],
    [`--header=X-Api-Key:${secret}`],
    ['--config', `{"server":{"apiKey":"${secret}"}}`],
    [`[{"name":"X-Token","value":"${secret}"}]`],
    [`{"db":"postgresql://user:${secret}@db/x","password":"a"}`],
    ['-c', `export API_KEY='${secret}'; exec run`],
    [`Server=x;Password=${secret};User=u`],
    ['--user', `me:${secret}`],
    ['-u', `me:${secret}`],
    [`--user=me:${secret}`],
    ['curl', `-ume:${secret}`],
    ['curl', '-sSu', `me:${secret}`],
    ['-fsSLu', `:${secret}`, 'https://h/a'],
    ['-u', `:${secret}`],
    ['-c', `curl -sSu me:${secret} h`],
    [`-ume:${secret}`, 'https://h/a'],
    [`-Ume:${secret}`, '-x', 'http://proxy'],
    ['-c', `curl -u me:${secret} h`],
    ['-c', `curl -sS -ume:${secret} h | jq`],
    [`--proxy-user=me:${secret}`],
    ['--access_token', `-${secret}-1`],
    ['--token', `${secret}==`],
    ['--config', `{"a":"{\\"token\\":\\"${secret}\\"}"}`],
    ['--config', JSON.stringify({ a: JSON.stringify([{ b: JSON.stringify({ token: secret }) }]) })],
    ['--auth', `{"root":"\${workspaceFolder}","token":"${secret}"}`],
    ['-c', `run --config '{"token":"${secret}"}'`],
    [`postgres://u:p#/${secret}@h/db?a=\${env:A}`],
  ])
    it(`are hidden and shown nowhere: ${args.join(' ')}`, () => {
      const beside = /^(?:a@|-|p#\/)|(?:-1|==)$/g;
      assert.deepEqual(
        secretsOfArguments(args, '').map((found) => found.replaceAll(beside, '')),
        [secret],
      );
      const shown = maskedArguments(args, '');
      assert.ok(shown.join(' ').includes(redacted) && !shown.join(' ').includes(secret));
      const plain = args.flatMap((arg) => (arg.includes(secret) ? [] : [arg]));
      assert.deepEqual(
        shown.filter((arg) => !arg.includes(redacted)),
        plain,
      );
    });

  it('are none in what is deep, long or harmless', () => {
    for (const arg of [
      '['.repeat(50_000) + ']'.repeat(50_000),
      'a='.repeat(50_000),
      '{"a":1}',
      '',
    ]) {
      assert.deepEqual(secretsOfArguments([arg], ''), []);
      assert.deepEqual(maskedArguments([arg], ''), [arg]);
    }
  });

  for (const [before, option, value] of [
    ['docker ', '-p', secret],
    [' -/sh', '-u', `me:${secret}`],
  ] as const)
    it(`are looked for beside much that is no program: ${before.trim()}`, () => {
      const begun = processMs();
      maskedArguments([`${before.repeat(60_000)} x`, option, value], '');
      assert.ok((processMs() - begun) / leeway() < 1000);
    });

  it('are none in what only looks like a name with its password, or an option with its value', () => {
    const args = [
      '-u',
      '1000:1000',
      '--user',
      'node:node',
      '-u',
      'https://h/a',
      '-u',
      'C:\\a',
      '-u',
      'me',
      '-utf8',
      '-utf8:strict',
      '-uid:0',
      '-user:staff',
      '-unit:seconds',
      '-u1000:1000',
      '-unode:node',
      '-u',
      ':1000',
      '-gpu',
      'nvidia:default',
    ];
    const others = [
      '--token',
      '--all',
      '--max-tokens',
      '4096',
      '--token',
      '-v',
      '{"maxTokens":4096}',
    ];
    assert.deepEqual(secretsOfArguments([...args, ...others], ''), []);
    assert.deepEqual(maskedArguments([...args, ...others], ''), [...args, ...others]);
  });

  it('are none in an option that begins as one for a user, where nothing is sent', () => {
    for (const args of [
      ['-ume:x1y2'],
      ['-su', 'me:x1y2'],
      ['-c', 'run -ume:x1y2'],
      ['-c', '-ume:x1y2'],
    ]) {
      assert.deepEqual(secretsOfArguments(args, ''), []);
      assert.deepEqual(maskedArguments(args, ''), args);
    }
  });

  it('are hidden as a program reads them from an address, too', () =>
    assert.deepEqual(secretsOfArguments(['https://me:p%40ssw@h/'], ''), ['p%40ssw', 'p@ssw']));

  it('are hidden as they are written in JSON and as a program reads them from it', () => {
    const args = [String.raw`{"token":"x\"y\\z\n1","password":"a\/b1"}`];
    assert.deepEqual(secretsOfArguments(args, ''), [
      String.raw`x\"y\\z\n1`,
      'x"y\\z\n1',
      String.raw`a\/b1`,
      'a/b1',
    ]);
    assert.deepEqual(maskedArguments(args, ''), [
      `{"token":"${redacted}","password":"${redacted}"}`,
    ]);
  });

  it('are marked in their own place alone if they are short words', () =>
    assert.deepEqual(
      maskedArguments(
        [
          'postgresql://postgres:postgres@h/postgres',
          '-c',
          'PGPASSWORD=postgres exec postgres-mcp -U postgres',
        ],
        '',
      ),
      [
        `postgresql://postgres:${redacted}@h/postgres`,
        '-c',
        `PGPASSWORD=${redacted} exec postgres-mcp -U postgres`,
      ],
    ));

  const lines: readonly (readonly [line: readonly string[], shown: readonly string[]])[] = [
    [['serve', '-u', 'host:8080'], []],
    [['serve', '-u', `me:${secret}`], [`me:${redacted}`]],
    [['/usr/bin/python3', '-u', 'x:main', '--url', 'https://h'], []],
    [['uv', 'run', 'python', '-u', 'x:main'], []],
    [['python', 'x.py', '-u', `me:${secret}`], [`me:${redacted}`]],
    [['sort', '-u', 'a:b'], []],
    [['curl', '-u', 'me:12345'], [`me:${redacted}`]],
    [['mysql', '-uroot', `-p${secret}`], [`-p${redacted}`]],
    [['docker', 'exec', 'db', 'mysqldump', `-p${secret}`], [`-p${redacted}`]],
    [['docker', 'run', '-p', '3306:3306', 'mysql'], []],
    [['sh', '-c', `mariadb -p${secret} db`], [`mariadb -p${redacted} db`]],
    [['sshpass', '-p', secret, 'ssh', '-p', '22'], [redacted]],
    [['sshpass', '-phunter2', 'ssh'], [`-p${redacted}`]],
    [['run', `-p${secret}`], []],
    [['curl', `-ume:${secret}`, 'h'], [`-ume:${redacted}`]],
    [['curl', '-sSu', `me:${secret}`, 'h'], [`me:${redacted}`]],
    [['serve', '-u', `me@firm.rs:${secret}`], [`me@firm.rs:${redacted}`]],
    [['serve', '-u', 'a/main.rs:app'], []],
    [['docker.cmd', 'login', '-p', secret], [redacted]],
    [['lftp', '-u', `me,${secret}`, 'h'], [`me,${redacted}`]],
    [['lftp', '-u', 'me', 'h'], []],
    [['xh', '-a', `me:${secret}`, 'h'], [`me:${redacted}`]],
    [['run', '--url', 'http://h', '-a', `me:${secret}`], []],
    [['smbclient', '-U', `me%${secret}`], [`me%${redacted}`]],
    [['rabbitmqadmin', '-u', 'me', '-p', secret], [redacted]],
    [['plink', '-batch', '-pw', secret, 'h'], [redacted]],
    [['xfreerdp', '/u:me', `/p:${secret}`, '/v:h'], [`/p:${redacted}`]],
    [['snmpwalk', '-v2c', '-c', secret, 'h'], [redacted]],
    [
      ['snmpget', '-A', secret, '-X', `${secret}2`, 'h'],
      [redacted, redacted],
    ],
    [['snmptrapd', '-c', 'a.conf'], []],
    [['sqlplus', '-S', `me/${secret}@db`, '@a/b.sql'], [`me/${redacted}@db`]],
    [['sqlldr', `userid=me/${secret}@db`, 'control=a/b.ctl'], [`userid=me/${redacted}@db`]],
    [['rman', 'target', '/'], []],
    [['openssl', 'rsa', '-passin', `pass:${secret}`, '-passout', 'env:A'], [`pass:${redacted}`]],
    [['openssl', 'enc', '-aes-256-cbc', '-k', secret, '-in', 'a'], [redacted]],
    [['htpasswd', '-b', 'file', 'me', secret], [redacted]],
    [['htpasswd', '-cb', '/a/.htpasswd', 'me', secret], [redacted]],
    [['htpasswd', '-nbBC', '10', 'me', secret], [redacted]],
    [['htpasswd', '-c', 'file', 'me'], []],
    [['net.exe', 'use', 'Z:', '\\\\h\\share', secret, '/user:me'], [redacted]],
    [['net', 'use', '\\\\h\\share', '/user:me'], []],
    [['aws', 'configure', 'set', 'aws_secret_access_key', secret], [redacted]],
    [['npx', '-y', 'sort', '-u', 'me:x1y2'], []],
    [['npx', '-y', 'serve', '-u', `me:${secret}`], [`me:${redacted}`]],
    [['sudo', '-u', 'app:staff', 'serve', '-u', `me:${secret}`], [`me:${redacted}`]],
    [['docker', 'run', '--rm', '-u', 'app:staff', 'image'], []],
    [['docker', 'run', '-u', 'app:staff', 'image', '-u', `me:${secret}`], [`me:${redacted}`]],
    [['docker', 'compose', 'exec', '--user', 'app:staff', 'web', 'sh'], []],
    [['docker', 'run', '--name', 'mongo', '-p', 'a'], []],
    [['sshpass', '-e', 'ssh', '-p', 'a', 'h'], []],
    [['timeout', '5', 'nice', '-n', '5', 'redis-cli', '-a', secret], [redacted]],
    [['bash', '-c', `cd x;mysql -p${secret} db`], [`cd x;mysql -p${redacted} db`]],
  ];
  for (const [[command = '', ...args], shown] of lines)
    it(`are told by the program: ${command} ${args.join(' ')}`, () => {
      const found = secretsOfArguments(args, command);
      assert.equal(found.length, shown.length);
      const masked = maskedArguments(args, command);
      assert.deepEqual(
        masked.filter((arg) => arg.includes(redacted)),
        shown,
      );
      for (const [index, arg] of args.entries())
        if (!found.some((one) => arg.includes(one))) assert.equal(masked[index], arg);
    });
});
