import type { QuestionInfo } from './question';

/** The identity of one of the user's own forms. */
export interface FormName {
  readonly server: Pick<QuestionInfo['server'], 'id'>;
  /** See {@link QuestionInfo.form}. */
  readonly form: string;
}

/** Keeps each of the user's own forms open only once: asking for it again while it waits shows the open one. */
export class OpenForms {
  private readonly runs = new Map<string, object>();
  private readonly showAgain: (name: FormName) => Promise<void>;

  constructor(showAgain: OpenForms['showAgain']) {
    this.showAgain = showAgain;
  }

  /**
   * Calls `run`, which asks in the form, unless the form is open: then that one is shown, and the result is
   * `undefined`. If `run` goes on long after the answer, it calls `answered`, after which the form may be opened again.
   */
  async once<T>(name: FormName, run: (answered: () => void) => Promise<T>): Promise<T | undefined> {
    const key = JSON.stringify([name.server.id, name.form]);
    if (this.runs.has(key)) {
      await this.showAgain(name);
      return undefined;
    }
    const own = {};
    this.runs.set(key, own);
    const answered = () => {
      if (this.runs.get(key) === own) this.runs.delete(key);
    };
    try {
      return await run(answered);
    } finally {
      answered();
    }
  }
}
