import type { Cause } from './stage';

/** Which of the user's own forms is meant. */
export interface FormName {
  readonly server: Pick<Cause['server'], 'id'>;
  /** See {@link Cause.form}. */
  readonly form: string;
}

/** Keeps each of the user's own forms open once: who wants it while it waits gets that one shown. */
export class OpenForms {
  private readonly runs = new Map<string, object>();
  private readonly showAgain: (name: FormName) => Promise<void>;

  constructor(showAgain: OpenForms['showAgain']) {
    this.showAgain = showAgain;
  }

  /**
   * Runs what asks in the form, unless that is under way: then the form is shown, and nothing is given. What goes
   * on long after its answer calls `answered`, from when on the form may be opened anew.
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
