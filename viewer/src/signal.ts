// Something that others listen to.
export class Signal<T = void> {
  private readonly listeners = new Set<(value: T) => void>();
  listen(listener: (value: T) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  send(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }
}
