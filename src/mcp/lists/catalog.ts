import type { Disposable } from '../../base/disposable';
import type { Tool } from '../protocol/types';
import { scanParamHeaders } from '../session/paramHeaders';
import type { Session } from '../session/session';
import { listSpecs, type Lists } from './listSpecs';
import type { ReadEntry } from '../protocol/entries';
import { ServerList } from './serverList';

/** The entries of every list, as they are kept between sessions. */
export type Snapshot = { readonly [K in keyof Lists]: readonly Lists[K][] };

/** The four lists of one server, kept current while it runs and known while it does not. */
export class Catalog implements Disposable {
  readonly tools: ServerList<Tool>;
  readonly prompts = new ServerList(listSpecs.prompts);
  readonly resources = new ServerList(listSpecs.resources);
  readonly resourceTemplates = new ServerList(listSpecs.resourceTemplates);
  private session: Session | undefined;

  constructor() {
    this.tools = new ServerList({ ...listSpecs.tools, read: (value) => this.readTool(value) });
  }

  /** What is known of the server, to be restored another time. */
  get snapshot(): Snapshot {
    return {
      tools: this.tools.items,
      prompts: this.prompts.items,
      resources: this.resources.items,
      resourceTemplates: this.resourceTemplates.items,
    };
  }

  /** Fills the lists that are empty with what was known before. */
  restore(snapshot: Snapshot): void {
    this.tools.restore(snapshot.tools);
    this.prompts.restore(snapshot.prompts);
    this.resources.restore(snapshot.resources);
    this.resourceTemplates.restore(snapshot.resourceTemplates);
  }

  /** Loads every list that the session's server offers, and follows it; resolves when all are in. */
  async attach(session: Session): Promise<void> {
    this.session = session;
    const request = (method: string, params: Readonly<Record<string, unknown>>) =>
      session.request(method, params);
    const loads = this.lists.map(async ([key, list]) => {
      if (!session.info.capabilities[listSpecs[key].capability]) return list.clear();
      list.attach(request);
      await list.refresh();
    });
    await Promise.all(loads);
  }

  /** The session ended: the lists stay as they were. */
  detach(): void {
    this.session = undefined;
    for (const [, list] of this.lists) list.attach(undefined);
  }

  /** Takes a notification of the server; true when it said that a list changed. */
  notified(method: string): boolean {
    const concerned = this.lists.filter(([key]) => listSpecs[key].changed === method);
    for (const [, list] of concerned) list.invalidate();
    return concerned.length > 0;
  }

  /** Refreshes all lists soon: a change of any may have been missed. */
  invalidate(): void {
    for (const [, list] of this.lists) list.invalidate();
  }

  /** Refreshes the lists whose time is over. */
  refreshExpired(): void {
    for (const [, list] of this.lists) list.refreshExpired();
  }

  dispose(): void {
    for (const [, list] of this.lists) list.dispose();
  }

  private get lists() {
    return [
      ['tools', this.tools],
      ['prompts', this.prompts],
      ['resources', this.resources],
      ['resourceTemplates', this.resourceTemplates],
    ] as const;
  }

  /** A stateless server over HTTP may not offer a tool with invalid header declarations. */
  private readTool(value: unknown): ReturnType<ReadEntry<Tool>> {
    const read = listSpecs.tools.read(value);
    if (!('entry' in read) || !this.session?.usesParamHeaders) return read;
    const scan = scanParamHeaders(read.entry.inputSchema);
    if (!('problem' in scan)) return read;
    return { problem: `The tool "${read.entry.name}" was left out: ${scan.problem}` };
  }
}
