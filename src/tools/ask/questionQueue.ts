import { createLimiter } from '../../base/async';
import { Emitter, type Event } from '../../base/event';
import { withdrawnBy, type QuestionOutcome } from '../../ui/questions/outcome';
import type { Answer, Ask, Question } from '../gate/question';

/** Where a question stands among those that wait for an answer. */
export interface QuestionPlace {
  /** How many wait, this one included. */
  readonly waiting: number;
  readonly onDidChangeWaiting: Event<void>;
  /** Denies this one and all that wait. */
  denyAll(): void;
}

/** Shows one question; what it gives does not matter once `signal` aborted. */
type AskOne = (
  question: Question,
  signal: AbortSignal,
  place: QuestionPlace,
) => Promise<QuestionOutcome<Answer>>;

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
        if (!either.aborted) {
          const outcome = await askOne(question, either, place);
          if (!either.aborted) return outcome;
        }
        return signal.aborted
          ? withdrawnBy(signal)
          : { kind: 'answered', answer: { kind: 'deny' }, how: 'click' };
      });
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  };
}
