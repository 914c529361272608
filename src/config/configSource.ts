import type { Disposable } from '../base/disposable';
import type { Event } from '../base/event';
import type { ConfigLayer } from './configLayer';

/** A kind of place where servers are configured. */
export interface ConfigSource extends Disposable {
  /**
   * Reads all places of this kind again; whatever cannot be read becomes a problem in its reading. `last` are the
   * readings of all places that are in use now.
   */
  read(last: readonly ConfigLayer[]): Promise<readonly ConfigLayer[]>;
  readonly onDidChange: Event<void>;
}
