/** Something that holds a resource until `dispose` is called; calling it again does nothing. */
export interface Disposable {
  dispose(): void;
}

/** Makes a disposable that runs `release` once. */
export function toDisposable(release: () => void): Disposable {
  let pending: (() => void) | undefined = release;
  return {
    dispose() {
      const run = pending;
      pending = undefined;
      run?.();
    },
  };
}

/** Owns disposables and disposes all of them together, the latest first. */
export class DisposableStore implements Disposable {
  private readonly items = new Set<Disposable>();
  private disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.disposed) item.dispose();
    else this.items.add(item);
    return item;
  }

  /** Disposes one item ahead of the rest. */
  delete(item: Disposable): void {
    if (this.items.delete(item)) item.dispose();
  }

  /** Disposes every item; the store can be filled again. */
  clear(): void {
    const items = [...this.items].toReversed();
    this.items.clear();
    for (const item of items) item.dispose();
  }

  dispose(): void {
    this.disposed = true;
    this.clear();
  }
}

/** Holds at most one disposable: setting another disposes the one before. */
export class DisposableHolder<T extends Disposable> implements Disposable {
  private held: T | undefined;
  private disposed = false;

  get value(): T | undefined {
    return this.held;
  }

  set value(next: T | undefined) {
    if (next === this.held) return;
    const previous = this.held;
    this.held = this.disposed ? undefined : next;
    previous?.dispose();
    if (this.disposed) next?.dispose();
  }

  dispose(): void {
    this.disposed = true;
    this.value = undefined;
  }
}
