import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { UserError } from '../../../../../src/base/errors';
import { Emitter, once } from '../../../../../src/base/event';
import { serverEnvironment } from '../../../../../src/mcp/node/commands/serverEnvironment';
import { thisSystem } from '../../../../../src/mcp/node/system';
import {
  bytesPerTurn,
  StdioTransport,
  type StdioOptions,
} from '../../../../../src/mcp/node/stdioTransport';
import { checkLeaks } from '../../../../support/processes/leakCheck';
import { createCensus } from '../../../../support/processes/processCensus';
import { until } from '../../../../support/until';

const badServer = join(__dirname, '..', '..', '..', '..', 'fixtures', 'badServers', 'main.js');
const quick = { afterEnd: 150, afterTerm: 150, afterKill: 1000, afterExit: 50 };
const endless = { afterEnd: 60_000, afterTerm: 60_000, afterKill: 1000, afterExit: 50 };

/** True for a variable that Windows gives every process, or Wine. */
const addedBySystem = (name: string) =>
  thisSystem() === 'win32' &&
  /^(?:HOMEDRIVE|HOMEPATH|LOGONSERVER|SYSTEMDRIVE|SYSTEMROOT|TEMP|USERDOMAIN|USERNAME|USERPROFILE|WINDIR|WINE\w+)$/i.test(
    name,
  );

type Answer = JSONRPCMessage & {
  readonly id?: number;
  readonly result?: { readonly content: readonly { readonly text: string }[] };
  readonly error?: { readonly message: string };
};

describe('the stdio transport', () => {
  checkLeaks();
  const census = createCensus();
  const opened: StdioTransport[] = [];

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((transport) => transport.close()));
    assert.deepEqual(await census.commands(), [], 'no process is left');
  });

  /** Creates a transport for a command, and records everything that it reports. */
  function create(command: string, args: readonly string[], options: Partial<StdioOptions> = {}) {
    const said = {
      stderr: [] as string[],
      unexpectedOutput: [] as string[],
      errors: [] as Error[],
    };
    const received = new Emitter<Answer>();
    const closed = new Emitter<void>();
    let closes = 0;
    const transport = new StdioTransport({
      command,
      args,
      env: serverEnvironment(process.env, census.env),
      system: thisSystem(),
      maxMessageBytes: 64_000_000,
      onStderr: (line) => said.stderr.push(line),
      onUnexpectedLine: (line) => said.unexpectedOutput.push(line),
      timeouts: quick,
      ...options,
    });
    transport.onmessage = (message) => received.fire(message as Answer);
    transport.onerror = (error) => said.errors.push(error);
    transport.onclose = () => {
      closes += 1;
      closed.fire();
    };
    opened.push(transport);
    let id = 0;
    const ask = async (method: string, params: Record<string, unknown> = {}) => {
      id += 1;
      const expected = id;
      const answer = once(received.event, (message) => message.id === expected);
      await transport.send({ jsonrpc: '2.0', id, method, params });
      return answer;
    };
    return {
      transport,
      said,
      ask,
      closed: once(closed.event),
      closes: () => closes,
      received: received.event,
    };
  }

  const bad = (args: readonly string[], options?: Partial<StdioOptions>) =>
    create(process.execPath, [badServer, ...args], options);
  const script = (code: string, options?: Partial<StdioOptions>) =>
    create(process.execPath, ['-e', code], options);

  async function call(server: ReturnType<typeof create>, name = 'say'): Promise<string> {
    const { result, error } = await server.ask('tools/call', { name });
    return error?.message ?? result?.content[0]?.text ?? '';
  }

  it('leaves the others their turn, however much a server has written meanwhile', async () => {
    const line = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tick' });
    const count = 20_000;
    const code = `process.stdout.write(${JSON.stringify(`${line}\n`)}.repeat(${count}))`;
    const { transport, closed } = create(process.execPath, ['-e', code]);
    const turns = [0];
    let isOpen = true;
    const nextTurn = () => {
      turns.push(0);
      if (isOpen) setImmediate(nextTurn);
    };
    transport.onmessage = () => (turns[turns.length - 1] = (turns.at(-1) ?? 0) + 1);
    await transport.start();
    // Block the event loop until the process has filled the pipe.
    const end = Date.now() + 300;
    while (Date.now() < end);
    setImmediate(nextTurn);
    await closed;
    isOpen = false;
    assert.equal(
      turns.reduce((sum, messages) => sum + messages),
      count,
    );
    // Also counts the chunk that ends a turn, one that had already been read, and what was left from the previous one.
    const most = Math.ceil((bytesPerTurn + 2 * 65_536) / (line.length + 1)) + 1;
    // On a busy machine, there are more turns than a call can take as arguments.
    const longest = turns.reduce((one, other) => Math.max(one, other));
    assert.ok(longest <= most, `${longest} of ${most}`);
  });

  it('reads on whatever one message did to who takes it, and tells of that', async () => {
    const lines = ['one', 'two', 'three'].map((method) =>
      JSON.stringify({ jsonrpc: '2.0', method }),
    );
    // All lines come in one chunk.
    const { transport, said, closed } = script(
      `process.stdout.write(${JSON.stringify(`${lines.join('\n')}\n`)})`,
    );
    const taken: unknown[] = [];
    transport.onmessage = (message) => {
      taken.push(Object(message)['method']);
      if (taken.length === 1) throw new TypeError('Cannot convert object to primitive value');
    };
    await transport.start();
    await closed;
    assert.deepEqual(taken, ['one', 'two', 'three']);
    assert.deepEqual(
      said.errors.map(({ message }) => message),
      ['Cannot convert object to primitive value'],
    );
  });

  describe('at the start', () => {
    const failures: readonly (readonly [string, () => ReturnType<typeof create>, RegExp])[] = [
      [
        'a command that is not there',
        () => create('no-such-command-here', []),
        /"no-such-command-here" was not found\. Install it, or give its full path in the configuration\.$/,
      ],
      [
        'a folder that is not there',
        () => create(process.execPath, [], { cwd: '/no/such/folder' }),
        /^UserError: The working directory \/no\/such\/folder does not exist\. Correct "cwd"/,
      ],
      [
        'a command that is not there, in a folder that is',
        () => create('/no/such/command', [], { cwd: tmpdir() }),
        /^UserError: The command "\/no\/such\/command" was not found\. Correct the path/,
      ],
      [
        'a path that is too long for Windows, where it finds nothing',
        () => create(`/${'long/'.repeat(60)}server.exe`, [], { system: 'win32' }),
        /^UserError: The path \/long\S+ has 311 characters, and Windows starts programs only at paths, and in folders, of at most 259\./,
      ],
      ['an argument that no system takes', () => create(process.execPath, ['a\0b']), /null bytes/],
    ];
    for (const [name, make, message] of failures) {
      it(`tells of ${name}`, async () => {
        const { transport } = make();
        await assert.rejects(transport.start(), message);
        await transport.close();
      });
    }

    it('tells of a file that may not be executed', async function () {
      if (process.platform === 'win32') this.skip();
      const folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-stdio-'));
      const file = join(folder, 'server');
      await writeFile(file, 'no program');
      await chmod(file, 0o600);
      const { transport } = create(file, []);
      await assert.rejects(transport.start(), (error) => {
        assert.ok(error instanceof UserError);
        assert.match(
          error.message,
          /may not be executed \(permission denied\)\. Make the file executable, or name/,
        );
        return true;
      });
      await rm(folder, { recursive: true });
    });

    it('gives the process its environment and nothing else', async () => {
      const env = { PATH: process.env['PATH'] ?? '', ONLY: 'this', ...census.env };
      const server = script(
        'console.log(JSON.stringify({jsonrpc:"2.0",id:1,result:process.env}))',
        {
          env,
        },
      );
      const answer = once(server.received);
      await server.transport.start();
      const given = Object.entries((await answer).result ?? {});
      assert.deepEqual(Object.fromEntries(given.filter(([name]) => !addedBySystem(name))), env);
    });

    it('tells the id of the process', async () => {
      const pids: number[] = [];
      const server = bad(['good'], { onSpawned: (pid) => pids.push(pid) });
      await server.transport.start();
      assert.deepEqual([await call(server, 'pid')], pids.map(String));
    });
  });

  describe('between', () => {
    it('keeps characters whole that come in two chunks', async () => {
      const server = bad(['split-character']);
      await server.transport.start();
      assert.deepEqual([await call(server), await call(server)], ['日本語', '日本語']);
    });

    it('takes lines that end the way of Windows', async () => {
      const server = bad(['crlf']);
      await server.transport.start();
      assert.equal(await call(server), 'crlf');
    });

    it('counts what is no message, and keeps the first such line', async () => {
      const server = bad(['garbage']);
      await server.transport.start();
      assert.equal(await call(server), 'ok');
      assert.equal(server.transport.unexpectedLine, 'Starting up…');
      assert.deepEqual(server.said.unexpectedOutput.slice(0, 3), [
        'Starting up…',
        '[1, 2, 3]',
        '{"no": "protocol"}',
      ]);
      assert.deepEqual(server.said.errors, []);
    });

    it('tells once of a line, however many elements of it are no messages', async () => {
      const line = JSON.stringify([
        ...Array.from({ length: 20 }, () => 0),
        { jsonrpc: '2.0', id: 1, result: {} },
        ...Array.from({ length: 20 }, () => ({})),
      ]);
      const { transport, said, received, closed } = script(`console.log('${line}')`);
      const answer = once(received);
      await transport.start();
      await answer;
      await closed;
      assert.deepEqual(said.unexpectedOutput, [line]);
    });

    it('takes several messages in one list', async () => {
      const line = JSON.stringify([1, 2].map((id) => ({ jsonrpc: '2.0', id, result: {} })));
      const server = script(`console.log('${line}'); process.stdin.resume()`);
      const ids: unknown[] = [];
      const both = once(server.received, ({ id }) => ids.push(id) === 2);
      await server.transport.start();
      await both;
      assert.deepEqual(ids, [1, 2]);
    });

    it('takes messages of more than 10 MB', async () => {
      const server = bad(['big-line', '11']);
      await server.transport.start();
      assert.equal((await call(server)).length, 11 * 1024 * 1024);
    });

    it('refuses a message over the limit with its size, and goes on', async () => {
      const server = bad(['big-line', '3'], { maxMessageBytes: 1_000_000 });
      await server.transport.start();
      const message = 'The server sent a message of 3.1 MB; the limit is 1 MB.';
      assert.equal(await call(server), message);
      assert.deepEqual(
        server.said.errors.map((error) => error.message),
        [message],
      );
      assert.ok((await server.ask('ping')).result);
    });

    for (const [behaviour, what] of [
      ['many-values', '1,000,000 names and values'],
      ['many-names', '120,000 different names and short texts'],
    ] as const)
      it(`refuses a message of more than ${what}, which could not be read at once, and goes on`, async () => {
        const server = bad([behaviour, '600000']);
        await server.transport.start();
        const message = `The server sent a message of more than the limit of ${what}.`;
        assert.equal(await call(server), message);
        assert.ok((await server.ask('ping')).result);
      });

    it('outlives 100 MB on stderr and keeps the end of it', async function () {
      this.timeout(30_000);
      const heard = new Emitter<void>();
      let lines = 0;
      const onStderr = () => {
        lines += 1;
        if (lines === 100 * 1024) heard.fire();
      };
      const server = bad(['stderr', '100'], { onStderr });
      const all = once(heard.event);
      await server.transport.start();
      assert.equal(await call(server), 'ok');
      await all;
      assert.equal(server.transport.stderrTail.split('\n').length, 20);
    });

    it('lets many messages wait for a process that does not read, and frees them at the end', async () => {
      const server = script('setTimeout(() => {}, 60_000)');
      await server.transport.start();
      const params = { text: 'x'.repeat(100_000) };
      const sent = Array.from({ length: 50 }, (_one, id) =>
        server.transport.send({ jsonrpc: '2.0', id, method: 'x', params }),
      );
      const listeners = server.transport['child']?.stdin?.listenerCount('drain') ?? 0;
      assert.ok(listeners <= 2, `${listeners} listeners for 50 messages`);
      await server.transport.close();
      await Promise.all(sent);
    });
  });

  describe('at an end that the process chose', () => {
    const endings: readonly (readonly [string, readonly string[], RegExp, RegExp])[] = [
      ['exits at once', ['exit', '3'], /^exited with code 3$/, /configuration file is missing$/],
      ['crashes', ['crash'], /^exited with code 1$/, /^bad server: crashed$/],
      ['dies in the middle of an answer', ['half-line'], /^exited with code 1$/, /^$/],
    ];
    for (const [name, args, ending, stderrTail] of endings) {
      it(`tells how a process ended that ${name}, and its last words`, async () => {
        const server = bad(args);
        await server.transport.start();
        await server.transport
          .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} })
          .catch(() => {});
        await server.closed;
        assert.match(server.transport.ending ?? '', ending);
        assert.match(server.transport.stderrTail, stderrTail);
        await server.transport.close();
        assert.equal(server.closes(), 1);
      });
    }

    it('tells by which signal it was ended', async function () {
      if (process.platform === 'win32') this.skip();
      const server = script("process.kill(process.pid, 'SIGKILL')");
      await server.transport.start();
      await server.closed;
      assert.equal(server.transport.ending, 'was ended by SIGKILL');
    });

    it('keeps a last word without a line feed', async () => {
      const server = script(
        "process.stderr.write('fatal: no configuration'); process.exitCode = 2",
      );
      await server.transport.start();
      await server.closed;
      assert.equal(server.transport.stderrTail, 'fatal: no configuration');
    });

    it('ends a process that closed its output: nothing can come from it', async function () {
      // On Windows, a process cannot close its output before it ends.
      if (process.platform === 'win32') this.skip();
      const server = bad(['close-stdout']);
      await server.transport.start();
      await server.transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      await server.closed;
      await server.transport.close();
      assert.equal(server.transport.ending, undefined);
    });

    it('takes no more messages', async () => {
      const server = bad(['exit']);
      await server.transport.start();
      await server.closed;
      await assert.rejects(
        server.transport.send({ jsonrpc: '2.0', method: 'x' }),
        /takes no more input/,
      );
    });

    it('has nothing to do any more with who has its id later', async () => {
      const pids: number[] = [];
      const server = script('', { onSpawned: (pid) => pids.push(pid) });
      await server.transport.start();
      await server.closed;
      const kill = process.kill.bind(process);
      const targets: number[] = [];
      process.kill = (target) => {
        targets.push(target);
        return true;
      };
      try {
        await server.transport.close();
      } finally {
        process.kill = kill;
      }
      assert.equal(pids.length, 1);
      assert.deepEqual(targets, []);
    });

    for (const kind of ['', 'stubborn']) {
      it(`ends the ${kind} children that a crashed process left`, async function () {
        if (process.platform === 'win32') this.skip();
        const code = `
          const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(
            `${kind && "process.on('SIGTERM', () => {});"} setTimeout(() => {}, 60_000)`,
          )}], { stdio: 'inherit' });
          child.once('spawn', () => process.exit(1));`;
        const server = script(code);
        await server.transport.start();
        await server.closed;
        assert.equal(server.transport.ending, 'exited with code 1');
        await until(async () => (await census.running()).length === 0);
      });
    }
  });

  describe('on closing', () => {
    const wrapper = (...mode: readonly string[]) => `
      const { spawn } = require('node:child_process');
      const args = ${JSON.stringify([badServer, ...mode])};
      spawn(process.execPath, args, { stdio: 'inherit' }).on('exit', (code) => process.exit(code));
      for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {});`;
    const node = `"${process.execPath}" "${badServer}"`;
    const shell = (mode: string) => () => create('sh', ['-c', `${node} ${mode}; true`]);
    const servers: readonly (readonly [string, () => ReturnType<typeof create>])[] = [
      ['behaves', () => bad(['good'])],
      ['ignores the end of its input', () => bad(['ignore-eof'])],
      ['ignores SIGTERM', () => bad(['ignore-sigterm'])],
      ['has a child', () => bad(['grandchild'])],
      ['has a stubborn child', () => bad(['grandchild', 'stubborn'])],
      ['has a child that left its group', () => bad(['grandchild', 'detached'])],
      ['runs behind a shell', shell('good')],
      ['runs behind a shell and stays', shell('ignore-eof')],
      ['runs behind a shell and is stubborn', shell('ignore-sigterm')],
      ['runs behind a launcher that keeps signals to itself', () => script(wrapper('ignore-eof'))],
      [
        'runs behind such a launcher and has a stubborn child',
        () => script(wrapper('grandchild', 'stubborn')),
      ],
    ];
    for (const [name, make] of servers) {
      it(`leaves nothing of a server that ${name}`, async function () {
        if (process.platform === 'win32' && name.includes('shell')) this.skip();
        const server = make();
        await server.transport.start();
        await server.ask('ping');
        assert.notDeepEqual(await census.commands(), []);
        await Promise.all([server.transport.close(), server.closed]);
        assert.deepEqual(await census.commands(), []);
        assert.equal(server.closes(), 1);
        assert.equal(server.transport.ending, undefined, 'it did not end by itself');
      });
    }

    it('lets a server end in order that only a signal ends', async function () {
      if (process.platform === 'win32') this.skip();
      const server = script(`
        process.on('SIGTERM', () => process.stderr.write('ended in order', () => process.exit()));
        setInterval(() => {}, 1000);
        console.log('{"jsonrpc":"2.0","id":1,"result":{}}');`);
      const ready = once(server.received);
      await server.transport.start();
      await ready;
      await server.transport.close();
      assert.equal(server.transport.stderrTail, 'ended in order');
    });

    it('waits no longer when it is asked a second time', async () => {
      const server = bad(['ignore-sigterm'], { timeouts: endless });
      await server.transport.start();
      await server.ask('ping');
      await Promise.all([server.transport.close(), server.transport.close()]);
      assert.deepEqual(await census.commands(), []);
    });

    it('is over at once before the start, and nothing can be started after it', async () => {
      const server = bad(['ignore-sigterm'], { timeouts: endless });
      await server.transport.close();
      await assert.rejects(server.transport.start(), /closed before it was started/);
      assert.deepEqual(await census.commands(), []);
    });

    it('starts nothing any more in the very turn of the start', async () => {
      const server = bad(['ignore-sigterm']);
      const started = assert.rejects(server.transport.start(), /closed before it was started/);
      await server.transport.close();
      await started;
      assert.deepEqual(await census.commands(), []);
    });

    it('can be asked for again afterwards', async () => {
      const server = bad(['good']);
      await server.transport.start();
      await server.transport.close();
      await server.transport.close();
      assert.equal(server.closes(), 1);
    });
  });
});
