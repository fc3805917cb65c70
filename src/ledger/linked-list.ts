/** What can be in one {@link LinkedList} at a time. */
export interface Linked<T> {
  previous: T | null;
  next: T | null;
}

/** A list that lets go of any element at once and allocates nothing: every exchange goes through two of them. */
export class LinkedList<T extends Linked<T>> {
  #first: T | null = null;
  #last: T | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): T | null {
    return this.#first;
  }

  /** Append an element that is in no list. */
  add(element: T): void {
    element.previous = this.#last;
    if (this.#last === null) this.#first = element;
    else this.#last.next = element;
    this.#last = element;
    this.#size += 1;
  }

  /** Take out an element of this list. */
  delete(element: T): void {
    const { previous, next } = element;
    if (previous === null) this.#first = next;
    else previous.next = next;
    if (next === null) this.#last = previous;
    else next.previous = previous;
    element.previous = null;
    element.next = null;
    this.#size -= 1;
  }

  /** The elements in order, as of now. */
  toArray(): T[] {
    const elements: T[] = [];
    for (let element = this.#first; element !== null; element = element.next) elements.push(element);
    return elements;
  }
}
