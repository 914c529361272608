import { Throttle } from '../../../base/async';
import type { Disposable } from '../../../base/disposable';
import { errorMessage } from '../../../base/errors';
import { Emitter } from '../../../base/event';
import type { Logger } from '../../../base/log';
import { jsonText } from '../../../base/text/jsonText';
import { plainLabel, wordsLabel } from '../../../base/text/text';
import { inEnglish, type LocalizableMessage, type Translate } from '../../../base/translate';
import { BurstLimit } from '../../../base/pace';

/** The shortest time between updates of a row, in milliseconds, even if its server sends nothing but garbage. */
const announceEveryMs = 1000;
const shownLength = 200;

/** What one server did during a session that the protocol does not allow, as its row shows it. */
export class ServerFaults implements Disposable {
  private readonly log: Logger;
  private readonly burst: BurstLimit;
  /** The sentences by their English text. */
  private readonly notes = new Map<string, LocalizableMessage>();
  private unreadable = 0;
  private readonly changed = new Emitter<void>();
  /** Fires when there is more to tell; only once for a burst. */
  readonly onDidChange = this.changed.event;
  private readonly announcing = new Throttle(() => this.changed.fire(), announceEveryMs);

  constructor(log: Logger) {
    this.log = log;
    this.burst = new BurstLimit(log, 'unreadable messages');
  }

  /** Returns what the row shows, a sentence each; no `problems` if there are none. */
  shown(t: Translate): { readonly problems?: readonly string[] } {
    const problems = this.sentences(t);
    return problems.length === 0 ? {} : { problems };
  }
  /** Notes something about the server as a whole, but only once. */
  note(sentence: LocalizableMessage): void {
    const english = sentence(inEnglish);
    if (this.notes.has(english)) return;
    this.notes.set(english, sentence);
    this.log.warn(english);
    this.announcing.run();
  }

  /** Counts a message that could not be read, and logs why; `frame` is absent if the message itself is unknown. */
  count(error: unknown, frame?: unknown): void {
    this.unreadable += 1;
    this.announcing.run();
    if (!this.burst.take()) return;
    const reason = wordsLabel(errorMessage(error), shownLength);
    const text = typeof frame === 'string' ? frame : jsonText(frame);
    const began = frame === undefined ? '' : ` It began with: ${plainLabel(text, shownLength)}`;
    this.log.warn(`A message of the server could not be read: ${reason}${began}`);
  }

  private sentences(t: Translate): readonly string[] {
    const { unreadable } = this;
    const notes = [...this.notes.values()].map((sentence) => sentence(t));
    if (unreadable === 0) return notes;
    const counted =
      unreadable === 1
        ? t('1 message could not be read. The log shows how it began.')
        : t('{0} messages could not be read. The log shows how they began.', String(unreadable));
    return [...notes, counted];
  }

  dispose(): void {
    this.burst.dispose();
    this.announcing.dispose();
    this.changed.dispose();
  }
}
