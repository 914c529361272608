import assert from 'node:assert/strict';
import { connect, createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { findFreePort, waitBefore } from '../../../../../src/mcp/node/openDebugged';
import { ConfiguredServer } from '../../../../../src/mcp/configuredServer';
import type {
  DeadlineHold,
  ReadyDebuggerFor,
} from '../../../../../src/mcp/transport/serverTransport';
import { define, testDeps } from '../../testServers';

const script = `
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: {}, serverInfo: { name: process.execArgv.join(' '), version: '1' } }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
  const { id, method, params } = JSON.parse(text);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params) ?? {} }));
});
`;
const config = {
  type: 'stdio',
  command: process.execPath,
  args: ['-e', script],
  env: {},
  debug: 'node',
} as const;

/** Creates a debugger that calls `attach` with its port, and records what happened to it. */
function fakeDebugger(attach: (port: number) => Promise<boolean>) {
  const seen = {
    ports: [] as number[],
    paths: [] as string[],
    detached: 0,
    hold: undefined as DeadlineHold | undefined,
  };
  const debuggerFor: ReadyDebuggerFor = (_server, _type, hold) => {
    seen.hold = hold;
    return Promise.resolve({
      attach({ port, path }) {
        seen.ports.push(port);
        seen.paths.push(path);
        return attach(port);
      },
      detach: () => (seen.detached += 1),
    });
  };
  return { seen, debuggerFor };
}

describe('a server with a debugger', () => {
  const open = (debuggerFor?: ReadyDebuggerFor) =>
    new ConfiguredServer(define(config), testDeps({ debuggerFor }));
  const nameOf = ({ state }: ConfiguredServer) =>
    state.kind === 'running' ? state.info.implementation?.name : undefined;

  it('starts as it is written where nobody debugs', async () => {
    const server = open();
    assert.deepEqual(await server.start(), { kind: 'running' });
    assert.doesNotMatch(nameOf(server) ?? '', /inspect/);
    await server.stop();
  });

  it('starts without one where none is there', async () => {
    const server = open(() => Promise.resolve(undefined));
    assert.deepEqual(await server.start(), { kind: 'running' });
    assert.doesNotMatch(nameOf(server) ?? '', /inspect/);
    await server.stop();
  });

  it('starts anew without one where none attaches', async () => {
    const { seen, debuggerFor } = fakeDebugger(() => Promise.resolve(false));
    const server = open(debuggerFor);
    assert.deepEqual(await server.start(), { kind: 'running' });
    assert.doesNotMatch(nameOf(server) ?? '', /inspect/);
    assert.deepEqual([seen.ports.length, seen.detached], [1, 1]);
    await server.stop();
    await server.start();
    await server.stop();
    // What connects must know it, where that is all that a debuggee asks for.
    const [first = '', second] = seen.paths;
    assert.match(first, /^[\da-f-]{36}$/);
    assert.notEqual(first, second);
  });

  it('says what can be debugged where it is no such thing', async () => {
    const { seen, debuggerFor } = fakeDebugger(() => Promise.resolve(true));
    const definition = define({ ...config, command: '/bin/sh' });
    const outcome = await new ConfiguredServer(definition, testDeps({ debuggerFor })).start();
    assert.match('message' in outcome ? outcome.message : '', /"node" cannot be attached to "sh/);
    assert.equal(seen.hold, undefined);
  });

  it('is stopped while it waits for a debugger that never attaches', async () => {
    let attaching: () => void;
    const attached = new Promise<void>((resolve) => (attaching = resolve));
    const { seen, debuggerFor } = fakeDebugger(() => {
      attaching();
      return new Promise(() => {});
    });
    const server = open(debuggerFor);
    const starting = server.start();
    await attached;
    await server.stop();
    assert.equal((await starting).kind, 'refused');
    assert.ok(seen.detached >= 1);
  });
});

describe('a port before another', () => {
  it('keeps who connects waiting until something listens, and ends with it', async () => {
    const port = await findFreePort();
    const gate = await waitBefore(port);
    const client = connect(gate.port, '127.0.0.1');
    await once(client, 'connect');
    client.write('hello');
    const server = createServer((socket) => socket.pipe(socket)).listen(port, '127.0.0.1');
    const [echo] = (await once(client, 'data')) as [Buffer];
    assert.equal(echo.toString(), 'hello');
    assert.notEqual((server.address() as AddressInfo).port, gate.port);
    const closed = once(client, 'close');
    await gate.close();
    await closed;
    server.close();
  });

  it('ends while nothing listens yet', async () => {
    const gate = await waitBefore(await findFreePort());
    const client = connect(gate.port, '127.0.0.1');
    client.on('error', () => {});
    await once(client, 'connect');
    const closed = once(client, 'close');
    await gate.close();
    await closed;
  });
});
