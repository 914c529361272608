import { createLimiter } from '../base/async';
import { Emitter, type Event } from '../base/event';
import type { Answer, Ask, Question } from './question';

/** Where a question stands among those that wait for an answer. */
export interface QuestionPlace {
  /** How many wait, this one included. */
  readonly waiting: number;
  readonly onDidChangeWaiting: Event<void>;
  /** Denies this one and all that wait. */
  denyAll(): void;
}

/** Shows one question; gives `deny` when `signal` aborts. */
type AskOne = (question: Question, signal: AbortSignal, place: QuestionPlace) => Promise<Answer>;

/**
 * Lets questions wait for one another, so that a person sees one at a time; `oneAtATime` may be shared
 * with others that ask.
 */
export function createQuestionQueue(askOne: AskOne, oneAtATime = createLimiter(1)): Ask {
  const changed = new Emitter<void>();
  const waiting = new Set<AbortController>();
  const place: QuestionPlace = {
    get waiting() {
      return waiting.size;
    },
    onDidChangeWaiting: changed.event,
    denyAll() {
      for (const each of waiting) each.abort();
    },
  };
  return async (question, signal) => {
    const denied = new AbortController();
    const leave = () => {
      if (waiting.delete(denied)) changed.fire();
    };
    waiting.add(denied);
    changed.fire();
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await oneAtATime(async () => {
        const either = AbortSignal.any([signal, denied.signal]);
        return either.aborted ? { kind: 'deny' } : await askOne(question, either, place);
      });
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  };
}
