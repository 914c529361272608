import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { URI } from 'vscode-uri';
import type { AuditRecord } from '../../../src/audit/auditLog';
import { createCallAudit } from '../../../src/audit/callAudit';
import { PendingWork } from '../../../src/base/async';
import { silentLogger } from '../../../src/base/log';
import { AgentEntries, type AgentEntry } from '../../../src/agents/entries';
import { AgentSessions } from '../../../src/agents/agentSessions';
import { AgentTrust } from '../../../src/agents/agentTrust';
import type { QuestionOutcome } from '../../../src/contracts/questionOutcome';
import { Approvals } from '../../../src/gate/decide/approvals';
import type { Answer, CallQuestion } from '../../../src/gate/ask/callQuestion';
import { RecentCalls } from '../../../src/gate/recentCalls';
import { OpenCalls, OpenTasks } from '../../../src/gate/send/openTasks';
import { RunningCalls } from '../../../src/gate/send/runningCalls';
import { ToolGate } from '../../../src/gate/toolGate';
import { agentPort } from '../../../src/mcp/node/agents/listen';
import { nodeFiles } from '../../../src/mcp/node/nodeFiles';
import type {
  AgentListener,
  BridgeCommand,
  HttpAgentListener,
} from '../../../src/mcp/serving/agentPort';
import type { Servers } from '../../../src/mcp/server';
import { TrafficRecords } from '../../../src/mcp/traffic/trafficRecorder';
import { OfferedTools, ToolSelection } from '../../../src/offer/offeredTools';
import { ResourceServers } from '../../../src/offer/resourceServers';
import type { Question } from '../../../src/ui/questions/question';
import { createMemento, createMementoOf } from '../../support/fakes/memento';
import { repositoryRoot } from '../../support/paths';
import { schemaCheck } from '../../support/schemaChecks';
import { keepRedacted, memoryLog } from '../audit/memoryLog';

/** How a test answers the question about a call; without one, the question waits until it is withdrawn. */
export type Decide = (question: CallQuestion, signal: AbortSignal) => Answer | Promise<Answer>;

/** A window without an editor that lets agents in, and the folder that it shares with other windows. */
export class AgentWindow {
  readonly folder: string;
  readonly entries: AgentEntries;
  readonly approvals: Approvals;
  readonly auditRecords: AuditRecord[] = [];
  readonly records = new TrafficRecords((text) => text);
  readonly asked: CallQuestion[] = [];
  /** The titles of the questions about agents, and how they are answered. */
  readonly wanted: string[] = [];
  lets: boolean | Promise<boolean> = true;
  decide: Decide = ({ call }) => ({ kind: 'allow', arguments: call.arguments });
  readonly selection = new ToolSelection(createMemento());
  readonly trust: AgentTrust;
  readonly sessions: AgentSessions;
  private readonly running = new RunningCalls();
  private listener: AgentListener | undefined;
  private http: HttpAgentListener | undefined;

  constructor(folder: string, servers: Servers, store = createMemento()) {
    this.folder = folder;
    this.entries = new AgentEntries(URI.file(join(folder, 'entries')), nodeFiles);
    this.approvals = new Approvals({ workspace: createMemento(), always: createMemento() });
    const gate = this.createGate(servers);
    this.trust = new AgentTrust(store, {
      ask: async <T>({ info }: Question<T>, signal: AbortSignal): Promise<QuestionOutcome<T>> => {
        this.wanted.push(info.server.name);
        const answer = (await Promise.race([this.lets, aborted(signal)])) as T;
        return signal.aborted
          ? { kind: 'withdrawn', reason: 'cancelled' }
          : { kind: 'answered', answer, how: 'click' };
      },
    });
    this.sessions = new AgentSessions({
      servers,
      gate,
      entries: this.entries,
      trust: this.trust,
      toolsOf: ({ id }) =>
        new OfferedTools({ servers, selection: this.selection.ofAgent(id), log: silentLogger }),
      maxToolsOf: () => 1000,
      resources: new ResourceServers(servers),
      startUnknown: () => Promise.resolve(),
      alertUser: () => {},
      records: this.records,
      log: silentLogger,
      info: { name: 'mcp-workbench', version: '1.2.3' },
    });
    this.entries.onDidRemove((id) => this.sessions.close(id));
  }

  /** Listens, as a window of these folders that was used at that time. */
  async open(folders: readonly string[] = [], usedAt = 0): Promise<void> {
    const uri = URI.file(this.folder);
    this.listener = await agentPort.listen(uri, { folders, usedAt }, this.sessions);
  }

  /** Answers over HTTP, too, and returns where. */
  async openHttp(port?: number): Promise<string> {
    this.http = await agentPort.listenHttp(port, this.sessions);
    return this.http.url;
  }

  close(): void {
    this.listener?.dispose();
    this.http?.dispose();
    this.sessions.dispose();
    this.running.dispose();
  }

  /** Gives an application an entry, as *Connect an Agent…* does: one over HTTP with the port that is in it. */
  async addEntry(label: string, url?: string): Promise<Entry> {
    const httpPort = url === undefined ? {} : { httpPort: Number(new URL(url).port) };
    const { entry, secret } = this.entries.create({ label, ...httpPort });
    await this.entries.add(entry);
    const program = await readFile(join(repositoryRoot, 'dist', 'bridge.js'), 'utf8');
    const command = await agentPort.installBridge(URI.file(this.folder), program);
    return { entry, secret, command };
  }

  private createGate(servers: Servers): ToolGate {
    return new ToolGate({
      facts: {
        servers,
        approvals: this.approvals,
        policy: () => ({
          servers: {},
          deny: [],
          ask: [],
          trustReadOnlyHint: [],
          maxCalls: { minute: 60, answer: 60 },
          taint: 'off',
        }),
        configuration: { isOwn: () => true },
        schemas: schemaCheck(),
        log: silentLogger,
      },
      questions: {
        ask: async (question, signal) => {
          if (!(await question.isOpen())) return answered({ kind: 'ruled' });
          this.asked.push(question);
          const decided = await Promise.race([this.decide(question, signal), aborted(signal)]);
          if (!decided) return { kind: 'withdrawn', reason: 'cancelled' };
          return answered(await question.settle(decided));
        },
      },
      audit: createCallAudit(memoryLog(this.auditRecords), keepRedacted),
      pending: new PendingWork(),
      running: this.running,
      tasks: new OpenTasks(createMementoOf()),
      openCalls: new OpenCalls(createMementoOf(), 'window'),
      recentCalls: new RecentCalls(),
    });
  }
}

/** An entry, and how its application starts the bridge. */
export interface Entry {
  readonly entry: AgentEntry;
  readonly secret: string;
  readonly command: BridgeCommand;
}

/** Connects a client of the official SDK as an application does: through the bridge, in a folder. */
export async function connectThrough(
  { entry, secret, command: { command, args, env } }: Entry,
  how: {
    readonly cwd?: string;
    readonly name?: string;
    readonly graceMs?: number;
  } & ClientOptions = {},
): Promise<Client> {
  const { cwd, name = 'test-agent', graceMs = 10_000, ...options } = how;
  const client = new Client({ name, version: '9' }, options);
  await client.connect(
    new StdioClientTransport({
      command,
      args: [...args, entry.id],
      env: {
        PATH: process.env['PATH'] ?? '',
        ...env,
        MCP_WORKBENCH_SECRET: secret,
        MCP_WORKBENCH_GRACE_MS: String(graceMs),
      },
      cwd: cwd ?? tmpdir(),
    }),
  );
  return client;
}

/** What an entry for an agent over HTTP says of who it is. */
export function bearerOf({ entry, secret }: Pick<Entry, 'entry' | 'secret'>): string {
  return `Bearer ${entry.id}.${secret}`;
}

/** Makes a folder for the files that windows and bridges share. */
export function agentFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'agents-test-'));
}

function answered<T>(answer: T) {
  return { kind: 'answered', answer, how: 'click' } as const;
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
