/* `npm run bench:agents`: an agent that goes through the gate, beside one that starts the server itself. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { nameOfBuild } from '../../tools/build/shipped';
import type { GateStart } from '../conformance/agentGate';
import { built } from '../support/paths';
import { startProgram } from '../support/processes/fixtureServer';
import type { BenchServerOptions } from './core/benchServer';
import { compare, report, timed, type Row } from './measure';

/** Single calls, one of each in turns, as a busy machine stalls some of them; an agent may make 300 in a minute. */
const callRounds = 200;
const listRounds = 21;

interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

async function connect({ command, args, env = {} }: Start): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' });
  const environment = { PATH: process.env['PATH'] ?? '', ...env };
  await client.connect(new StdioClientTransport({ command, args: [...args], env: environment }));
  return client;
}

/** Measures `task` with an agent of each kind in turns. */
async function onBoth(
  options: BenchServerOptions,
  task: (client: Client, tool: string) => Promise<unknown>,
  rounds: number,
) {
  const server = [built('bench', 'core', 'benchServer.js'), JSON.stringify(options)];
  await using gate = await startProgram(built('headless', 'agentGate.js'), server);
  const bridge = JSON.parse(gate.url) as GateStart;
  const direct = await connect({ command: process.execPath, args: server });
  const through = await connect(bridge);
  try {
    const [first] = (await through.listTools()).tools;
    return await compare(
      {
        direct: () => timed(() => task(direct, 'tool_0')),
        through: () => timed(() => task(through, first?.name ?? '')),
      },
      'direct',
      rounds,
    );
  } finally {
    await Promise.all([direct.close(), through.close()]);
  }
}

const call = (client: Client, name: string) => client.callTool({ name, arguments: { text: 'x' } });

async function main(): Promise<void> {
  console.log(await nameOfBuild());
  const quick = await onBoth({ tools: 20 }, call, callRounds);
  const usual = await onBoth({ tools: 20, callMs: 10 }, call, callRounds);
  const lists = await onBoth({ tools: 1000 }, (client) => client.listTools(), listRounds);
  const rows: Row[] = [
    {
      name: 'a call that takes 10 ms, to one without the gate',
      ratio: usual.ratio.through,
      goal: 1.5,
      others: { ms: usual.ms.through, 'direct ms': usual.ms.direct },
    },
    {
      name: 'a call that takes no time, beyond one without the gate',
      ratio: quick.ms.through - quick.ms.direct,
      goal: 3,
      unit: 'ms',
      others: { ms: quick.ms.through, 'direct ms': quick.ms.direct },
    },
    {
      name: '1,000 tools listed, to without the gate',
      ratio: lists.ratio.through,
      goal: 1.3,
      others: { ms: lists.ms.through, 'direct ms': lists.ms.direct },
    },
  ];
  report(rows);
  process.exitCode = rows.some(({ ratio, goal }) => !(ratio <= goal)) ? 1 : 0;
}

void main();
