// Shared by tests inside the extension host, and by unit tests with the double of the editor.
import * as vscode from 'vscode';
import { Emitter } from '../../../src/base/event';
import type { WaitingQuestion } from '../../../src/ui/questions/question';
import { poll } from '../poll';

/** Creates questions for which a test decides whether one is shown, and what the user did meanwhile. */
export function scriptedQuestions() {
  const changed = new Emitter<void>();
  const unseen: { readonly questions: WaitingQuestion[]; readonly text: string } = {
    questions: [],
    text: '',
  };
  return {
    isAsking: false,
    isElsewhere: false,
    unseen,
    onDidChange: changed.event,
    workedElsewhere(): boolean {
      return this.isElsewhere;
    },
    /** Shows a question over the editor's list; returns a function that removes it. */
    async cover(): Promise<() => void> {
      const question = vscode.window.createQuickPick();
      question.items = [{ label: 'Trust and Start' }];
      question.show();
      this.isAsking = true;
      changed.fire();
      await poll('the question to have rows', 20_000, async () => question.activeItems[0]);
      return () => {
        question.dispose();
        this.isAsking = false;
        changed.fire();
      };
    },
    tell: () => changed.fire(),
  };
}
