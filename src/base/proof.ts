/**
 * What a type has if a value of it is proof that a door has let it through, or that something has just happened. As the
 * member is private, nothing has it unless the door claims so, and a copy that `{ ...value, part }` makes with another
 * part has lost it.
 */
export declare class Proof<Of extends string> {
  private readonly proves: (of: Of) => Of;
}

/** What a value is once its parts are made anew, as in JSON: nothing in it proves anything any more. */
export type Copied<T> = T extends string
  ? T extends object
    ? string
    : T
  : T extends object
    ? { [K in keyof T]: Copied<T[K]> }
    : T;
