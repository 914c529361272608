import { secretsOfArguments } from '../../../../src/mcp/launch/commandArguments';
import assert from 'node:assert/strict';
import { redactText } from '../../../../src/base/secrets';
import { processMs, leeway } from '../../../support/processes/ownLoad';

/** Counts what is looked for in a text, and what is copied of it. */
function stepsOf(text: string): number {
  let steps = 0;
  const count = (
    owner: object,
    name: string,
    stepsOfCall: (result: unknown, whole: unknown, from: number) => number,
  ) => {
    const own = Object.getOwnPropertyDescriptor(owner, name) ?? {};
    const call = own.value as () => unknown;
    const value = function (this: unknown, ...args: readonly unknown[]) {
      const result: unknown = Reflect.apply(call, this, args);
      steps += stepsOfCall(result, this, Number(args[1] ?? 0));
      return result;
    };
    Object.defineProperty(owner, name, { ...own, value });
    return () => Object.defineProperty(owner, name, own);
  };
  const undo = [
    count(RegExp.prototype, 'exec', () => 1),
    count(String.prototype, 'slice', (part) => String(part).length),
    count(
      String.prototype,
      'indexOf',
      (found, whole, from) => (Number(found) < 0 ? String(whole).length : Number(found)) - from,
    ),
  ];
  try {
    redactText(text);
  } finally {
    for (const one of undo) one();
  }
  return steps;
}

describe('A text without secrets', () => {
  const rows: readonly [text: string, shown: string][] = [
    ['connecting to db.example:5432 as ada', 'connecting to db.example:5432 as ada'],
    ['token ghp_0123456789abcdefghijKLMN refused', 'token ‹redacted› refused'],
    ['> Authorization: Bearer abcdefgh12345678', '> Authorization: ‹redacted›'],
    ['DB_PASSWORD=hunter2 HOST=local', 'DB_PASSWORD=‹redacted› HOST=local'],
    ['api_key="two words" port=80', 'api_key=‹redacted› port=80'],
    ['jwt eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2ln', 'jwt ‹redacted›'],
    [
      'see <https://api.example/a?b=1&access_token=abc#c>',
      'see <https://api.example/a?b=1&access_token=‹redacted›#c>',
    ],
    ['GET /a?api%5Fkey=a+b&page=2 200', 'GET /a?api%5Fkey=‹redacted›&page=2 200'],
    [
      '[here](https://a.example/#access_token=abc',
      '[here](https://a.example/#access_token=‹redacted›',
    ],
    [
      'url=postgres://ada:hunter2@db.example:5432/x',
      'url=postgres://ada:‹redacted›@db.example:5432/x',
    ],
    ['https://me@corp.example:hunter2@h/x', 'https://me@corp.example:‹redacted›@h/x'],
    ['http://localhost:3000/@scope/a?page=2', 'http://localhost:3000/@scope/a?page=2'],
    ['token: expired', 'token: expired'],
    [
      '{"user":"ada", "password" : "hun\\"ter\\\\2","pin":1234}',
      '{"user":"ada", "password" : "‹redacted›","pin":"‹redacted›"}',
    ],
    [
      '{"maxTokens":100,"progressToken":"a","token":""}',
      '{"maxTokens":100,"progressToken":"a","token":""}',
    ],
    [
      '"text":"{\\"api_key\\":\\"a\\\\\\"b\\",\\"c\\":\\"d\\"}"',
      '"text":"{\\"api_key\\":\\"‹redacted›\\",\\"c\\":\\"d\\"}"',
    ],
    ['{"auth":{"token":["abc"]},"b":1}', '{"auth":"‹redacted›","b":1}'],
    ['{"tokens" : ["a]\\"", {"b":"}"}], "c":1}', '{"tokens" : "‹redacted›", "c":1}'],
    ['{"api key":"abc","$token":"d"}', '{"api key":"‹redacted›","$token":"‹redacted›"}'],
    [
      '"text":"{\\"a\\":[{\\"secrets\\":{\\"b\\":\\"c]}\\"}}]}","d":"e"',
      '"text":"{\\"a\\":[{\\"secrets\\":\\"‹redacted›\\"}]}","d":"e"',
    ],
    [
      '"text":"cut {\\"token\\":[\\"a","d":"e"',
      '"text":"cut {\\"token\\":\\"‹redacted›\\"","d":"e"',
    ],
    ['cut {"token":[{"a":"b"}, "c', 'cut {"token":"‹redacted›"'],
    ['{"auth":{},"tokens":[ ]}', '{"auth":{},"tokens":[ ]}'],
    [
      '{"token":{"description":"which","type":"string"},"pin":{"anyOf":[]}}',
      '{"token":{"description":"which","type":"string"},"pin":{"anyOf":[]}}',
    ],
    [
      '{"headers":[{"name":"X-Api-Key","isSecret":true,"value":"abc"},{"name":"Accept","value":"d"}]}',
      '{"headers":[{"name":"X-Api-Key","isSecret":true,"value":"‹redacted›"},{"name":"Accept","value":"d"}]}',
    ],
    [
      '[{"value":{"a":"b"}, "key":"TOKEN"},{"header":"cookie","value":[1]}]',
      '[{"value":"‹redacted›", "key":"TOKEN"},{"header":"cookie","value":"‹redacted›"}]',
    ],
    [
      '"text":"[{\\"name\\":\\"pin\\",\\n \\"value\\":1234}]"',
      '"text":"[{\\"name\\":\\"pin\\",\\n \\"value\\":\\"‹redacted›\\"}]"',
    ],
    ['{"name":"maxTokens","value":12}', '{"name":"maxTokens","value":12}'],
    ['cut ghp_0123456789…', 'cut ‹redacted›'],
    ['cut "sk-live-01234567… (9 bytes)"', 'cut ‹redacted› (9 bytes)"'],
    ['cut eyJhbGciOiJIUzI1.eyJzdWI…', 'cut ‹redacted›'],
    ['cut risk-management…', 'cut risk-management…'],
    ['cut {"token":"abc', 'cut {"token":"‹redacted›'],
    ['cut {\\"token\\":\\"abc\\\\', 'cut {\\"token\\":\\"‹redacted›'],
    ['odd {\\"token\\":\\"abc\\\\"', 'odd {\\"token\\":\\"‹redacted›\\\\"'],
    ['a\n  b\tc', 'a\n  b\tc'],
    [
      '{"text":"HOST=a\\nDB_PASSWORD=hunter2\\nX=y"}',
      '{"text":"HOST=a\\nDB_PASSWORD=‹redacted›\\nX=y"}',
    ],
    ['["--password=hunter2","b"]', '["--password=‹redacted›","b"]'],
    ['"DB_PASSWORD=hunter2"', '"DB_PASSWORD=‹redacted›"'],
    ['(DB_PASSWORD=hunter2) {TOKEN=a', '(DB_PASSWORD=‹redacted› {TOKEN=‹redacted›'],
    ['env:DB_PASSWORD=hunter2 a', 'env:DB_PASSWORD=‹redacted› a'],
    ["password='a hunter2' b", 'password=‹redacted› b'],
    ['PASSWORD="a\\"b hunter2" c', 'PASSWORD=‹redacted› c'],
    ['{"a":"PASSWORD=\\"b hunter2\\" c"}', '{"a":"PASSWORD=‹redacted› c"}'],
    ['args="--password=hunter2" b', 'args="--password=‹redacted›" b'],
    ['PASSWORD=a&b"c\\d&e=f', 'PASSWORD=‹redacted›&e=f'],
    ['{"text":"key:\\nghp_0123456789abcdefghijKLMN"}', '‹redacted›'],
    ['\\u001b[32msk-proj-0123456789abcdefghij', '‹redacted›'],
    ['X-Api-Key: hunter2 200', 'X-Api-Key: ‹redacted› 200'],
    ['< authorization:hunter2', '< authorization:‹redacted›'],
    ['Authorization: Digest hunter2', 'Authorization: ‹redacted›'],
    ['Set-Cookie: a=b; Path=/', 'Set-Cookie: ‹redacted›'],
    [
      "{ authorization: 'Bearer a b', 'x-api-key': 'k' }",
      "{ authorization: ‹redacted›, 'x-api-key': ‹redacted› }",
    ],
    [
      '{"a":"X-Api-Key: x\\nauthorization: x\\n--token x\\napi_key=x"}',
      '{"a":"X-Api-Key: ‹redacted›\\nauthorization: ‹redacted›\\n--token ‹redacted›\\napi_key=‹redacted›"}',
    ],
    ['access-token: expired', 'access-token: expired'],
    ['x-ratelimit-remaining-tokens: 99', 'x-ratelimit-remaining-tokens: 99'],
    ['pull my-auth-service:8080', 'pull my-auth-service:8080'],
    ['run --api.key x api.key=x', 'run --api.key ‹redacted› api.key=‹redacted›'],
    ['run --token -9x --token --all', 'run --token ‹redacted› --token --all'],
    ['--token is missing', '--token is missing'],
    ['--max-tokens 100 max_tokens=100', '--max-tokens 100 max_tokens=100'],
    ['["--token", "a b", "c"]', '["--token", "‹redacted›", "c"]'],
    ['"a":"[\\"--token\\",\\"b\\"]"', '"a":"[\\"--token\\",\\"‹redacted›\\"]"'],
    ['curl -u me:hunter2 a', 'curl -u me:‹redacted› a'],
    ['curl --user=me:hunter2 a', 'curl --user=me:‹redacted› a'],
    ['curl -ume:hunter2 a', 'curl -ume:‹redacted› a'],
    ['curl -fsSLu me:hunter2 a', 'curl -fsSLu me:‹redacted› a'],
    ['curl -u :hunter2 a', 'curl -u :‹redacted› a'],
    ['run -su me:hunter2 -u :1000 -u ::1 a', 'run -su me:hunter2 -u :1000 -u ::1 a'],
    ['["-ume:hunter2","https://a"]', '["-ume:‹redacted›","https://a"]'],
    ['run -ume:hunter2 -uid:0 a', 'run -ume:hunter2 -uid:0 a'],
    ['curl -u1000:1000 -utf8:a -user:staff a', 'curl -u1000:1000 -utf8:a -user:staff a'],
    ['run -u 1000:1000 -u node:node -u C:\\a', 'run -u 1000:1000 -u node:node -u C:\\a'],
    ['sort -u a:b', 'sort -u a:b'],
    ['sort -t , -u a:b | curl -u me:b', 'sort -t , -u a:b | curl -u me:‹redacted›'],
    ['run -u a:b', 'run -u a:‹redacted›'],
    ['python3.12 -I -u x:main --url http://h', 'python3.12 -I -u x:main --url http://h'],
    ['python x.py -u me:hunter2', 'python x.py -u me:‹redacted›'],
    ['serve -u app/x.py:main', 'serve -u app/x.py:main'],
    ['{"command":"python","args":["-u","x:main"]}', '{"command":"python","args":["-u","x:main"]}'],
    ['["-u","host:8080"]', '["-u","host:8080"]'],
    ['curl -u me:1234 --user me:1234', 'curl -u me:‹redacted› --user me:‹redacted›'],
    ['wget -ume:hunter2 a', 'wget -ume:‹redacted› a'],
    ['mysql -uroot -phunter2 -P3306 db', 'mysql -uroot -p‹redacted› -P3306 db'],
    ['mysql -p db; mkdir -pv a', 'mysql -p db; mkdir -pv a'],
    ['/usr/bin/mysqldump -p"a b" db', '/usr/bin/mysqldump -p"‹redacted›" db'],
    ["mariadb-admin -h h -p'a' ping", "mariadb-admin -h h -p'‹redacted›' ping"],
    ['{"command":"mariadb","args":["-pa b"]}', '{"command":"mariadb","args":["-p‹redacted›"]}'],
    ['sshpass -p hunter2 ssh -p 22 h', 'sshpass -p ‹redacted› ssh -p 22 h'],
    ['sshpass -phunter2 ssh h', 'sshpass -p‹redacted› ssh h'],
    ['["sshpass","-p","hunter2","ssh"]', '["sshpass","-p","‹redacted›","ssh"]'],
    ['docker run --name mysql -p3306:3306 a', 'docker run --name mysql -p3306:3306 a'],
    ['docker login -u me -p hunter2 h', 'docker login -u me -p ‹redacted› h'],
    ['docker run -p 80 a', 'docker run -p 80 a'],
    ['redis-cli -h h -a hunter2 ping', 'redis-cli -h h -a ‹redacted› ping'],
    ['sqlcmd -U sa -P hunter2', 'sqlcmd -U sa -P ‹redacted›'],
    ['mysql -p$PASS -p`cat a`', 'mysql -p$PASS -p`cat a`'],
    ['["-sSu","me:hunter2"]', '["-sSu","me:‹redacted›"]'],
    ['"a":"[\\"-sSu\\",\\"me:hunter2\\"]"', '"a":"[\\"-sSu\\",\\"me:‹redacted›\\"]"'],
    ['pscp -pw "a b" c me@h:/d', 'pscp -pw "‹redacted›" c me@h:/d'],
    ['wfreerdp.exe /v:h /pass:hunter2', 'wfreerdp.exe /v:h /pass:‹redacted›'],
    ['{"a":"x\\nsnmpget -c hunter2 h"}', '{"a":"x\\nsnmpget -c ‹redacted› h"}'],
    ['rman target me/hunter2@db; ls a/b', 'rman target me/‹redacted›@db; ls a/b'],
    ['sqlplus: see docs/oracle.md', 'sqlplus: see docs/oracle.md'],
    ['openssl rsa -passin "pass:hunter2" -in a', 'openssl rsa -passin "pass:‹redacted›" -in a'],
    ['$ htpasswd -bB file me hunter2', '$ htpasswd -bB file me ‹redacted›'],
    ['net use Z: \\\\h\\s hunter2 /user:me', 'net use Z: \\\\h\\s ‹redacted› /user:me'],
    ['the net use of memory', 'the net use of memory'],
    ['["lftp","-u","me,hunter2"]', '["lftp","-u","me,‹redacted›"]'],
    ['docker run -u app:staff i', 'docker run -u app:staff i'],
    ['docker exec -u app:staff c x -u a:b', 'docker exec -u app:staff c x -u a:‹redacted›'],
    ['{"mysql":{"command":"x","args":["-pa"]}}', '{"mysql":{"command":"x","args":["-pa"]}}'],
    ['["C:\\\\new\\\\plink.exe","-pw","a b"]', '["C:\\\\new\\\\plink.exe","-pw","‹redacted›"]'],
    ['sh -c "mysql -p" x; run "mysql -pa"', 'sh -c "mysql -p" x; run "mysql -p‹redacted›"'],
    [
      'C:\\new\\net.exe use \\\\h\\team\\s hunter2',
      'C:\\new\\net.exe use \\\\h\\team\\s ‹redacted›',
    ],
    ['{"a":"C:\\\\b\\nmysql -phunter2"}', '{"a":"C:\\\\b\\nmysql -p‹redacted›"}'],
    ["['--db-token', 'a b', 'c']", "['--db-token', ‹redacted›, 'c']"],
    ["xfreerdp /v:h /p:'a b' /f", "xfreerdp /v:h /p:'‹redacted›' /f"],
    ['docker login -u ${{ a }} -p hunter2', 'docker login -u ${{ a }} -p ‹redacted›'],
    ['argv: [plink, -pw, hunter2]', 'argv: [plink, -pw, ‹redacted›'],
    ['zip has the -P option', 'zip has the -P option'],
    ['rman and a/b/c.d', 'rman and a/b/c.d'],
    ['api_key = "a b" c = "d"', 'api_key = ‹redacted› c = "d"'],
    ['token = next()', 'token = next()'],
    ['--password1 hunter2 AccountKey=a==', '--password1 ‹redacted› AccountKey=‹redacted›'],
    ['authorization=Bearer abcd e', 'authorization=‹redacted› e'],
    ['https://me:p@ss@host/', 'https://me:‹redacted›@host/'],
    ['postgres://u:p#s/s@h/db', 'postgres://u:‹redacted›@h/db'],
    ['http://h:80/@x a@b http://h:80/?a@b', 'http://h:80/@x a@b http://h:80/?a@b'],
    ['the task-management-system-of-2026', 'the task-management-system-of-2026'],
  ];
  for (const [text, shown] of rows)
    it(`is ${JSON.stringify(shown)}`, () => assert.equal(redactText(text), shown));

  for (const line of [
    'net user bob hunter2 /add',
    'dsconf slapd set --rootpw hunter2',
    'keytool -list -keystore a.jks -storepass hunter2',
    'curl -H "PRIVATE-TOKEN: hunter2" h',
    'influx -username me -password hunter2',
    'vncviewer -passwd hunter2 h',
    'isql DSN me hunter2',
    'isql -v sales_dsn me hunter2',
    'impdp me/"hunter2"@db schemas=x',
    'echo hunter2 | sudo -S ls',
    'cd x && echo -n hunter2 | sudo -kS ls',
    'echo "a hunter2" | sudo -S ls',
    'echo hunter2 | docker login -u me --password-stdin',
    "printf '%s' hunter2 | gh auth login --with-token",
    'echo hunter2 | passwd --stdin bob',
    'echo -n hunter2 | cryptsetup luksOpen /dev/sda1 x -',
    'sudo -S ls <<< hunter2',
    'sudo -S ls <<<hunter2',
    'kinit me <<< "hunter2"',
    'wrangler secret put NAME <<< hunter2',
    'nmcli dev wifi connect home password hunter2',
    'iwconfig wlan0 key hunter2',
    'mysqladmin -u root password hunter2',
    'grafana-cli admin reset-admin-password hunter2',
    "ALTER USER me WITH PASSWORD 'hunter2'",
    "CREATE USER me IDENTIFIED BY 'hunter2'",
    "ALTER USER 'me'@'%' IDENTIFIED WITH caching_sha2_password BY 'hunter2'",
    `psql -c "ALTER ROLE me PASSWORD 'hunter2'" db`,
    `pwsh -c "ConvertTo-SecureString 'hunter2' -AsPlainText -Force"`,
    'ConvertTo-SecureString -String hunter2 -AsPlainText',
    'mount.cifs //h/s /m -o user=me%hunter2',
    'psql "host=h user=me password=hunter2"',
    'borg init --encryption repokey; BORG_PASSPHRASE=hunter2 borg list',
  ])
    it(`hides what a command is given, or fed, as a password: ${line}`, () => {
      assert.equal(redactText(line), line.replaceAll(/(?:a )?hunter2/g, '‹redacted›'));
      // Also where the command is one of a shell's.
      const found = secretsOfArguments(['-c', line], 'sh');
      assert.ok(found.some((secret) => /hunter2/.test(secret)));
    });

  for (const line of [
    'mount -t cifs //h/s /m -o username=me,password=hunter2',
    'nmap --script-args smbuser=me,smbpass=hunter2 h',
    'kubectl create secret generic a --from-literal=password=hunter2',
  ])
    it(`hides what is assigned behind something else in a command: ${line}`, () =>
      assert.equal(redactText(line), line.replace('hunter2', '‹redacted›')));

  for (const line of [
    'ls -u a:b',
    'Use -u flag:on to enable it',
    'the option -u flag:on is on by default',
    'net user shows the accounts',
    'net user bob /delete',
    'isql could not connect to the server',
    'echo hello | sudo tee /etc/x',
    'echo done | grep -S x',
    'printf "%s" x | wc -l',
    'sudo -S asks for the password on standard input',
    'impdp me/@db asks',
    'make -u all:fast',
    'stat -u a:b',
    'cut -d: -u f1:f2',
    'kubectl get pods -n kube:system',
    'docker run -p 8080:80 web',
    'cargo run -- -u mode:fast',
    'npm run build -- -u cache:off',
    'tar -uf a.tar b',
    'rg -u foo:bar src',
    'go test -run X/y ./...',
    'nmcli dev wifi list',
    'mysqladmin status',
    'echo "a:b" | tr : ,',
    'keytool -list',
    'gpg --list-keys',
    'password policy is strict',
    'passwd bob',
    'du -u x:y',
    'chpasswd reads lines from standard input',
    'df -h | sort -u',
    'cat a | docker login --help',
    'echo $PASS | sudo -S ls',
    'echo `cat a` | sudo -S ls',
    'echo a || sudo -S ls',
    'sudo -S ls <<< "$PASS"',
    'the password "must" be set',
    'WITH PASSWORD :name',
    'echo a | sudo tee b',
    'resource identified by "x1" was not found',
    '[net] user 42 connected from 10.0.0.1',
    'net: user me joined a channel',
    'net income of each user grew strongly',
    'isql: connected to SALES_DB as user admin',
    'netsh: the following command was not found: key show',
  ])
    it(`hides nothing of a command or a sentence without one: ${line}`, () =>
      assert.equal(redactText(line), line));

  it('is made in the time of its length', () => {
    const began = processMs();
    const single = [
      'a=',
      'ab.',
      'Bearer ',
      '"',
      'x="',
      '-eyJ',
      'sk-',
      '…',
      '://a:',
      '?a',
      '&token=',
      ':@',
      '\\',
      'PASSWORD=',
      'TOKEN="',
      "TOKEN='",
      'TOKEN=\\"',
      'TOKEN=a&b',
      'TOKEN=a"b',
      '--token ',
      '"--token","',
      'a-b: ',
      'x-',
      '-u a:',
      '-ua:b ',
      'curl -ua:b ',
      'curl -su a:b ',
      'mysql -pa ',
      'login -p ',
      '"-p","',
      "mysql -p'a -p b ",
      'mysql docker login ',
      'sqlplus a/b@',
      'net use \\\\a b ',
      '\\\\n',
      'mysql -p "a\\"',
    ];
    const pairs = ['"a":"', '"a"', '"a":"\\', '\\"a\\":\\"', '\\"a\\":\\"\\\\\\"b', '"a":1'];
    const groups = [
      '"token":[',
      '\\"token\\":{',
      '{"name":"token","a":[',
      '{"name":"token","a":{},',
      '"value":[{"a":"b"},',
      '"value":1,',
      '\\"value\\":{\\"key\\":[',
      '"a":{',
      '"a" : [ ',
      '"token":{"type":"string","a":{',
      '"token":{"title":"',
    ];
    for (const part of [...single, ...pairs, ...groups])
      redactText(part.repeat(Math.max(4000, 100_000 / part.length)));
    for (const count of [40_000, 40_001, 40_002, 40_003])
      redactText(`{\\"a\\":\\"${'\\'.repeat(count)}"`);
    assert.ok((processMs() - began) / leeway() < 1000);
  });

  it('is made in the time of its length where commands and SQL are fed', () => {
    const began = processMs();
    for (const part of ['echo a | sudo -S ', 'sudo -S a <<< b ', "PASSWORD 'a", 'mount -o a,user='])
      redactText(part.repeat(10_000));
    assert.ok((processMs() - began) / leeway() < 1000);
  });

  it('is made in steps that grow as its length', () => {
    const shapes = (count: number) => {
      const list = JSON.stringify(
        Array.from({ length: count }, (_, i) => ({
          name: 'token',
          i,
          value: { a: `${i}` },
          b: [i],
        })),
      );
      const within = (text: string, levels: number): string =>
        levels === 0 ? text : within(JSON.stringify({ text }), levels - 1);
      return [
        ...[0, 1, 2, 3].map((levels) => within(list, levels)),
        ...[
          '"value":{',
          '\\"value\\":[',
          '\\"value\\":{…\\\\\\\\\\"',
          '"name":"token",',
          '://a:',
        ].map((part) => part.repeat(count)),
      ];
    };
    const more = shapes(2000).map(stepsOf);
    for (const [index, steps] of shapes(1000).map(stepsOf).entries())
      assert.ok((more[index] ?? 0) < steps * 2.2, `${index}: ${steps}, ${more[index]}`);
  });

  it('is made of values within values without reading each to its end', () => {
    const began = processMs();
    redactText('"value":{'.repeat(40_000));
    assert.ok((processMs() - began) / leeway() < 1500);
  });

  for (const part of ['a', '\\n', 'a\\n'])
    it(`is made of a value of 20 MB, as of ${JSON.stringify(part)} again and again`, () => {
      const count = Math.floor(20_000_000 / part.length);
      const value = part.repeat(count);
      assert.equal(redactText(`{"token":"${value}"}`), '{"token":"‹redacted›"}');
      const escaped = part.replaceAll('\\', '\\\\').repeat(count);
      const inner = `{\\"token\\":\\"${escaped}\\"}`;
      assert.equal(redactText(inner), '{\\"token\\":\\"‹redacted›\\"}');
    });
});
