// What tests inside the extension host share; only those may import it.
import { QuestionQueue } from '../../../src/ui/questions/queue';
import { promptKeys } from '../../../src/ui/questions/keys/typing';

/** A queue of questions that shows each at once and takes keys at once. */
export function newQuestions(): QuestionQueue {
  return new QuestionQueue({ ...promptKeys, mayShow: () => true });
}
