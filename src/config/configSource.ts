import type { Disposable } from '../base/disposable';
import type { Event } from '../base/event';
import type { Reading } from './reading';

/** A kind of place where servers are configured. */
export interface ConfigSource extends Disposable {
  /** Reads all places of this kind again; whatever cannot be read becomes a problem in its reading. */
  read(): Promise<readonly Reading[]>;
  readonly onDidChange: Event<void>;
}
