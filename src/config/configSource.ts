import type { Disposable } from '../base/disposable';
import type { Event } from '../base/event';
import type { Reading } from './reading';

/** A kind of place that servers are configured in. */
export interface ConfigSource extends Disposable {
  /** Reads all places of the kind anew; what cannot be read is a problem of the reading. */
  read(): Promise<readonly Reading[]>;
  readonly onDidChange: Event<void>;
}
