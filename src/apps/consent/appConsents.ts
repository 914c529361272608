import { isRecord } from '../../base/json';
import { KeptList, type Memento } from '../../base/memento';
import type { Server } from '../../mcp/server';
import type { App } from '../page/app';
import { permissions, type Permission } from '../page/permissions';

/** An app that the user agreed to show, bound to what it was then. */
export interface AppConsent {
  readonly serverId: string;
  readonly launchFingerprint: string;
  readonly uri: string;
  readonly fingerprint: string;
  readonly granted: readonly Permission[];
}

/** What is known of an app: that it may be shown, or that another one of this name was. */
export type Known =
  | { readonly kind: 'allowed'; readonly granted: readonly Permission[] }
  | { readonly kind: 'changed'; readonly fingerprint: string }
  | { readonly kind: 'new' };

/** The most apps that are remembered; the oldest go. */
export const maxConsents = 200;

/** Which apps may be shown, each bound to the launch of its server and to all that it is made of. */
export class AppConsents {
  private readonly kept: KeptList<AppConsent>;

  constructor(store: Memento) {
    this.kept = new KeptList(store, 'apps', maxConsents, isConsent);
  }

  get all(): readonly AppConsent[] {
    return this.kept.all;
  }

  async find(server: Server, { uri, fingerprint }: App): Promise<Known> {
    const launch = await server.launchFingerprint();
    const known = this.all.find((one) => isOf(one, server.id, launch, uri));
    if (!known) return { kind: 'new' };
    return known.fingerprint === fingerprint
      ? { kind: 'allowed', granted: permissions.filter((one) => known.granted.includes(one)) }
      : { kind: 'changed', fingerprint: known.fingerprint };
  }

  async remember(server: Server, app: App, granted: readonly Permission[]): Promise<void> {
    const launchFingerprint = await server.launchFingerprint();
    const { uri, fingerprint } = app;
    const own = { serverId: server.id, launchFingerprint, uri, fingerprint, granted };
    await this.kept.put(own, (one) => isOf(one, server.id, launchFingerprint, uri));
  }

  async forgetAll(): Promise<void> {
    await this.kept.remove(() => true);
  }
}

function isOf(one: AppConsent, serverId: string, launch: string, uri: string): boolean {
  return one.serverId === serverId && one.launchFingerprint === launch && one.uri === uri;
}

function isConsent(value: unknown): value is AppConsent {
  return (
    isRecord(value) &&
    ['serverId', 'launchFingerprint', 'uri', 'fingerprint'].every(
      (name) => typeof value[name] === 'string',
    ) &&
    Array.isArray(value['granted'])
  );
}
