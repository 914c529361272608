// What tests inside the extension host share; only those may import it.
import * as vscode from 'vscode';
import { Emitter } from '../../../src/base/event';
import type { Waiting } from '../../../src/ui/questions/stage';
import { poll } from '../poll';

/** Questions of which a test says whether one is shown, and what the user did meanwhile. */
export function scriptedQuestions() {
  const changed = new Emitter<void>();
  const unseen: { readonly questions: Waiting[]; readonly text: string } = {
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
    /** Puts a question over the list of the editor, and takes it away again. */
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
