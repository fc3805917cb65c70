/** A member of one queue at a time. */
export interface Queued<T> {
  older: T | null;
  newer: T | null;
}

/** Things in the order in which they were last touched: a linked list, as every packet moves its conversation to the end. */
export class ConversationQueue<T extends Queued<T>> {
  #oldest: T | null = null;
  #newest: T | null = null;
  #size = 0;

  get oldest(): T | null {
    return this.#oldest;
  }

  get size(): number {
    return this.#size;
  }

  append(item: T): void {
    item.older = this.#newest;
    item.newer = null;
    if (this.#newest === null) this.#oldest = item;
    else this.#newest.newer = item;
    this.#newest = item;
    this.#size++;
  }

  remove(item: T): void {
    if (item.older === null) this.#oldest = item.newer;
    else item.older.newer = item.newer;
    if (item.newer === null) this.#newest = item.older;
    else item.newer.older = item.older;
    item.older = null;
    item.newer = null;
    this.#size--;
  }

  /** Move it to the end. */
  touch(item: T): void {
    if (item === this.#newest) return;
    this.remove(item);
    this.append(item);
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let item = this.#oldest; item !== null; item = item.newer) yield item;
  }
}
