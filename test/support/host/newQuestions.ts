// Shared by tests inside the extension host, and by unit tests with the double of the editor.
import { QuestionQueue } from '../../../src/ui/questions/queue';
import { promptKeys } from '../../../src/ui/questions/typing';

/** Creates a queue of questions that shows each question at once and accepts keys at once. */
export function newQuestions(): QuestionQueue {
  return new QuestionQueue({ ...promptKeys, mayShow: () => true });
}
