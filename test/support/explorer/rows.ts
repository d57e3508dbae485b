/** A list of whole numbers that takes 4 bytes for each. */
export class Integers {
  #values = new Int32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(index: number): number {
    return this.#values[index] ?? 0;
  }

  push(value: number): void {
    if (value !== (value | 0)) throw new Error(`${value} does not fit into 4 bytes.`);
    if (this.#length === this.#values.length) {
      const more = new Int32Array(this.#length * 2);
      more.set(this.#values);
      this.#values = more;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
  }
}

/** Rows of whole numbers, each once: equal rows have the same number, which count from 0. */
export class Rows {
  readonly #width: number;
  readonly #values = new Integers();
  /** The number of a row, plus 1, where its hash or the next free place is. */
  #places = new Int32Array(1024);
  #size = 0;

  constructor(width: number) {
    this.#width = width;
  }

  get size(): number {
    return this.#size;
  }

  at(row: number, column: number): number {
    return this.#values.at(row * this.#width + column);
  }

  /** The number of the row. It is new if it is the `size` before. */
  add(row: readonly number[]): number {
    let place = this.#hash(row);
    for (let known = this.#rowAt(place); known >= 0; known = this.#rowAt(place)) {
      if (this.#equals(known, row)) return known;
      place += 1;
    }
    for (const value of row) this.#values.push(value);
    this.#put(place, this.#size);
    this.#size += 1;
    if (this.#size * 2 > this.#places.length) this.#spread();
    return this.#size - 1;
  }

  #rowAt(place: number): number {
    return (this.#places[place & (this.#places.length - 1)] ?? 0) - 1;
  }

  #put(place: number, row: number): void {
    this.#places[place & (this.#places.length - 1)] = row + 1;
  }

  #equals(known: number, row: readonly number[]): boolean {
    const from = known * this.#width;
    for (let column = 0; column < this.#width; column += 1)
      if (this.#values.at(from + column) !== row[column]) return false;
    return true;
  }

  #hash(row: readonly number[]): number {
    let hash = 0;
    for (const value of row) {
      hash = Math.imul(hash ^ value, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash >>> 1;
  }

  /** Twice as many places. */
  #spread(): void {
    this.#places = new Int32Array(this.#places.length * 2);
    for (let row = 0; row < this.#size; row += 1) {
      const values = Array.from({ length: this.#width }, (_, column) => this.at(row, column));
      let place = this.#hash(values);
      while (this.#rowAt(place) >= 0) place += 1;
      this.#put(place, row);
    }
  }
}
