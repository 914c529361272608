import type { SubscriptionFilter } from '@modelcontextprotocol/client';
import { Timer } from '../../base/async';
import { patientBackoff, ReopenPace } from '../../base/pace';
import { toDisposable, type Disposable } from '../../base/disposable';
import { errorMessage } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { Logger } from '../../base/log';
import type { Listening } from '../serverState';
import type { Session } from './session';
import { eras } from '../protocol/revisions';

/**
 * The resources of one server that are in use, across all its sessions. Up to 2025-11-25, each is a
 * `resources/subscribe`; as of 2026-07-28, one `subscriptions/listen` stream covers them all, together
 * with changes of the lists.
 */
export class Subscriptions implements Disposable {
  private readonly counts = new Map<string, number>();
  /** The resources about which a legacy server is being told. */
  private telling = new Set<string>();
  private session: Session | undefined;
  private stream: { close(): Promise<void> } | undefined;
  private opening: Promise<void> | undefined;
  private outdated = false;
  private broken = false;
  private pace = new ReopenPace(patientBackoff);
  private readonly retry = new Timer(() => this.listen());
  private readonly log: Logger;
  private readonly listeningChanged = new Emitter<Listening>();
  /** Fires when it changes how much of what was asked for is received. */
  readonly onDidChangeListening = this.listeningChanged.event;
  private listening: Listening = 'all';
  private listensToResources = true;
  private readonly resumed = new Emitter<void>();
  /** Fires when the stream is open again after a break in which changes may have been missed. */
  readonly onDidResume = this.resumed.event;

  constructor(log: Logger) {
    this.log = log;
  }

  /** False if the server agreed to the stream, but not for all the resources that were asked for. */
  get isHonored(): boolean {
    return this.listensToResources;
  }

  /** The resources that are in use. */
  get uris(): string[] {
    return [...this.counts.keys()];
  }

  /** Subscribes to `uri` until disposed; several holders share one subscription. */
  add(uri: string): Disposable {
    const count = (this.counts.get(uri) ?? 0) + 1;
    this.counts.set(uri, count);
    if (count === 1) this.changed(uri);
    return toDisposable(() => {
      const left = (this.counts.get(uri) ?? 1) - 1;
      if (left > 0) return this.counts.set(uri, left);
      this.counts.delete(uri);
      return this.changed(uri);
    });
  }

  /** Takes a new session and subscribes to every resource that is in use. */
  attach(session: Session): void {
    this.session = session;
    this.broken = false;
    this.listening = 'all';
    this.listensToResources = true;
    this.pace = new ReopenPace(patientBackoff);
    this.telling = new Set();
    if (eras[session.era].listens) this.listen();
    else for (const uri of this.counts.keys()) this.changed(uri);
  }

  /** Discards the session, which has ended. */
  detach(): void {
    this.session = undefined;
    this.stream = undefined;
    this.retry.dispose();
  }

  dispose(): void {
    this.detach();
    this.counts.clear();
    this.resumed.dispose();
    this.listeningChanged.dispose();
  }

  private changed(uri: string): void {
    const { session } = this;
    if (!session?.info.capabilities.resources?.subscribe) return;
    if (eras[session.era].listens) return this.listen();
    if (!this.telling.has(uri)) void this.tell(session, uri);
  }

  /** Tells the server whether `uri` is in use, in one request after the other: over HTTP, they could overtake each other. */
  private async tell(session: Session, uri: string): Promise<void> {
    const { telling } = this;
    telling.add(uri);
    let told = !this.counts.has(uri);
    while (this.session === session && told !== this.counts.has(uri)) {
      told = !told;
      const method = told ? 'resources/subscribe' : 'resources/unsubscribe';
      await session
        .request(method, { uri })
        .catch((error: unknown) => this.log.warn(`${method} ${uri}: ${errorMessage(error)}`));
    }
    telling.delete(uri);
  }

  /** (Re)opens the stream with what is wanted now; changes in the meantime are applied afterward. */
  private listen(): void {
    this.outdated = true;
    this.opening ??= this.reopen().finally(() => {
      this.opening = undefined;
    });
  }

  private async reopen(): Promise<void> {
    // Several changes in one turn of the event loop need only one stream.
    await Promise.resolve();
    while (this.outdated) {
      const { session } = this;
      if (!session) return;
      this.outdated = false;
      const filter = this.filter(session);
      const previous = this.stream;
      this.stream = undefined;
      if (Object.keys(filter).length > 0) await this.open(session, filter);
      await previous?.close();
    }
  }

  private async open(session: Session, filter: ReturnType<typeof this.filter>): Promise<void> {
    try {
      const stream = await session.listen(filter);
      if (this.session !== session) return await stream.close();
      this.stream = stream;
      this.pace.opened();
      this.compare(filter, stream.honoredFilter);
      if (this.broken) this.resumed.fire();
      this.broken = false;
      void stream.closed.then(() => {
        if (this.stream === stream) this.listenLater(session);
      });
    } catch (error) {
      this.log.warn(`subscriptions/listen: ${errorMessage(error)}`);
      if (this.session === session) this.setListening('none');
      this.listenLater(session);
    }
  }

  /** Compares what was asked for with what the server agreed to, which may be less (2026-07-28, subscriptions). */
  private compare(asked: SubscriptionFilter, honored: SubscriptionFilter): void {
    const { resourceSubscriptions: wanted = [], ...flags } = asked;
    const heard = new Set(honored.resourceSubscriptions);
    const unheard = wanted.filter((uri) => !heard.has(uri));
    this.listensToResources = unheard.length === 0;
    const missing = [
      ...Object.keys(flags).filter((flag) => honored[flag as keyof typeof flags] !== true),
      ...(unheard.length > 0 ? [`${unheard.length} resources`] : []),
    ];
    if (missing.length > 0)
      this.log.warn(`subscriptions/listen: the server agreed to less: no ${missing.join(', ')}.`);
    this.setListening(missing.length === 0 ? 'all' : 'some');
  }

  private setListening(now: Listening): void {
    if (now === this.listening) return;
    this.listening = now;
    this.listeningChanged.fire(now);
  }

  private listenLater(session: Session): void {
    if (this.session !== session) return;
    this.broken = true;
    this.retry.start(this.pace.lost());
  }

  private filter({ info: { capabilities } }: Session) {
    const { uris } = this;
    return {
      ...(capabilities.tools?.listChanged && { toolsListChanged: true }),
      ...(capabilities.prompts?.listChanged && { promptsListChanged: true }),
      ...(capabilities.resources?.listChanged && { resourcesListChanged: true }),
      ...(capabilities.resources?.subscribe && uris.length > 0 && { resourceSubscriptions: uris }),
    };
  }
}
