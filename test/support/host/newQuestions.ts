// What tests inside the extension host share; only those may import it.
import { QuestionQueue } from '../../../src/ui/questions/queue';

/** A queue of questions that shows each at once and takes keys at once. */
export function newQuestions(): QuestionQueue {
  return new QuestionQueue({ now: Date.now, quietMs: 0, mayShow: () => true });
}
