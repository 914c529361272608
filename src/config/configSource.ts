import type { Disposable } from '../base/disposable';
import type { Event } from '../base/event';
import type { Reading } from './reading';

/** A kind of place where servers are configured. */
export interface ConfigSource extends Disposable {
  /**
   * Reads all places of this kind again; whatever cannot be read becomes a problem in its reading. `last` are the
   * readings of all places that are in use now.
   */
  read(last: readonly Reading[]): Promise<readonly Reading[]>;
  readonly onDidChange: Event<void>;
}
